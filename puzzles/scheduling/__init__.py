"""Families of scheduling: job shops, open shops, projects, and cars on an assembly line."""

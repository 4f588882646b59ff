"""Constraints by enumeration: tables, automata and decision diagrams."""

"""The suite that every backend passes, ours or a third party's.

A backend comes in, a ``Report`` goes out, or ``ConformanceFailure`` with every fault found. In
reading order: ``suite`` (what is asked), ``oracle`` (what is right), ``drawn_problems`` (the
problems), ``foreign_constraints`` (constraints that no backend knows), ``liars`` (backends that
each lie in one way, for those who test a harness).
"""

from __future__ import annotations

from backends.conformance.suite import ConformanceFailure, Report, conform, examine, vocabulary

__all__ = ["ConformanceFailure", "Report", "conform", "examine", "vocabulary"]

"""Solvers that read XCSP3, behind the common interface: ``xcsp3:SOLVER``.

A problem is written as XCSP3 (``modelling.formats.xcsp3``) and solved by a program in a process of
its own, which is started anew for each call: some milliseconds for cosoco, half a second for Java.

cosoco  (default) from the package of this name
ace     ACE, choco Choco: both from the package pycsp3; they need Java

``programs`` finds and calls them, ``guards`` says what each is given natively, ``condensing`` takes
away what they stumble over, ``run`` reads what they print, ``search`` is one question, and
``backend`` the solver.
"""

from __future__ import annotations

from backends.xcsp3.backend import OPTIONS, make
from backends.xcsp3.parameters import PARAMETERS
from backends.xcsp3.programs import list_found

__all__ = ["OPTIONS", "PARAMETERS", "list_found", "make"]

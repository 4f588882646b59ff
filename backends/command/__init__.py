"""Any solver that is a program: ``command:FORMAT:PROGRAM ARGUMENTS``.

    command:dimacs:cadical -q
    command:dimacs:minisat {file} {answer}
    command:opb,all=0:clasp --outf=1
    command:flatzinc,all=-a:fzn-gecode

FORMAT is ``dimacs``, ``opb``, ``xcsp3`` or ``flatzinc``; the words after it are split as a shell
splits them, and no shell is started. ``name`` reads such a text, ``backend`` makes the backend of
it. ``backends.interface.programs`` writes a program's input and reads its answers.
"""

from __future__ import annotations

from backends.command.backend import make
from backends.command.name import OPTIONS, read_spec

__all__ = ["OPTIONS", "make", "read_spec"]

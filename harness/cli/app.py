"""The command line: one verb for each thing a person does; the files of `harness.cli.verbs`.

Heavy imports happen in the verbs that need them.
"""

from __future__ import annotations

import sys
from importlib import import_module

from harness.cli.command import FINE, app, open_streams, status_of
from harness.cli.verbs import ORDER

for _verb in ORDER:
    import_module(f"harness.cli.verbs.{_verb}")


def main() -> None:
    """The entry point. Usage errors are typer's: it prints them and leaves with status 2."""
    open_streams()
    sys.exit(status_of(_typed))


def _typed() -> int:
    try:
        app(prog_name="concord")
    except SystemExit as left:  # what typer itself has printed, as the help, is not written yet
        return int(left.code or FINE)
    return FINE


if __name__ == "__main__":
    main()

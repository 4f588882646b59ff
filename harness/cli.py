"""The command line: one verb for each thing a person does, one file each in `harness.verbs`.

Heavy imports happen in the verbs that need them.
"""

from __future__ import annotations

from importlib import import_module

from harness.command import app
from harness.verbs import ORDER

for _verb in ORDER:
    import_module(f"harness.verbs.{_verb}")


def main() -> None:
    """The entry point. Usage errors are typer's: it prints them and leaves with status 2."""
    app(prog_name="concord")


if __name__ == "__main__":
    main()

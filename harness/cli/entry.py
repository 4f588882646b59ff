"""Where the command line begins: Ctrl-C is taken care of before anything large is imported."""

import sys


def main() -> None:
    """The entry point of ``concord``."""
    try:
        from harness.interrupts import leave_at_once

        leave_at_once()
    except KeyboardInterrupt:  # so early that not even that was there
        import os

        os.write(2, b"concord: interrupted\n")
        os._exit(130)
    import gc

    from harness.cli import clock

    clock.mark_process()
    gc.set_threshold(100_000, 50, 50)  # imports make many objects and next to no garbage
    run_command_line()


def run_command_line() -> None:
    """The verb that ``sys.argv`` names, in this process, which is left with its exit status."""
    from harness.cli.command import FINE, open_streams, status_of
    from harness.cli.verbs import app

    def run_verb() -> int:
        try:
            app(prog_name="concord")
        except SystemExit as left:  # what typer itself has printed, as the help, is not written yet
            return int(left.code or FINE)
        return FINE

    open_streams()
    sys.exit(status_of(run_verb))


if __name__ == "__main__":
    main()

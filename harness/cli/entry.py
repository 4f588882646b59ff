"""Where the command line begins: Ctrl-C is taken care of before anything large is imported."""

try:
    from harness.interrupts import leave_at_once

    leave_at_once()
except KeyboardInterrupt:  # so early that not even that was there
    import os

    os.write(2, b"concord: interrupted\n")
    os._exit(130)


def main() -> None:
    """The entry point of ``concord``."""
    import gc

    gc.set_threshold(100_000, 50, 50)  # imports make many objects and next to no garbage
    from harness.cli.app import main as command_line

    command_line()


if __name__ == "__main__":
    main()

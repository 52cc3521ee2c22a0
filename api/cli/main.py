"""The entry of the program: signals and broken pipes end it cleanly, and `settle` starts without the rest."""

import os
import sys

INTERRUPTED = 130
BROKEN_PIPE = 141


def run() -> None:
    """Run the command line and exit with its status."""
    sys.exit(main(sys.argv[1:]))


def main(arguments: list[str]) -> int:
    """Run one command; its exit status."""
    try:
        status = _dispatch(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader went away (`pitclerk ... | head`): nothing more to say, not even at the interpreter's last flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    return status


def _dispatch(arguments: list[str]) -> int:
    if arguments[:1] == ["settle"]:
        from api.cli import settle

        return settle.run(arguments[1:])
    from api.cli.app import run_app

    return run_app(arguments)

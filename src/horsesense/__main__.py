"""`python -m horsesense` is the command `horsesense`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command; if it is interrupted before it starts, say so."""
    try:
        # Imported here, because the user may press Ctrl-C while click is imported.
        from horsesense.cli.main import main as run

        run()
    except KeyboardInterrupt:
        from horsesense.cli.groups import INTERRUPTED

        sys.stderr.write("Error: interrupted; nothing was done\n")
        sys.exit(INTERRUPTED)
    finally:
        # If Ctrl-C hits code that `exec` runs from a string, as dataclasses do, Python remembers it
        # as unhandled and dies of the signal instead of exiting with our code. Running an empty
        # string makes it forget.
        exec("")


if __name__ == "__main__":
    main()

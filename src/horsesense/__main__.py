"""`python -m horsesense` is the command `horsesense`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command; who interrupts it before it has begun is told so, too."""
    try:
        # Here, as somebody may think better of it while click is imported.
        from horsesense.cli.main import main as run

        run()
    except KeyboardInterrupt:
        from horsesense.cli.groups import INTERRUPTED

        sys.stderr.write("Error: interrupted; nothing was done\n")
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()

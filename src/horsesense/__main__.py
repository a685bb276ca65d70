"""`python -m horsesense` is the command `horsesense`."""

from horsesense.cli.main import main

main()

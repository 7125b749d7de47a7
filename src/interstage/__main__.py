"""`python -m interstage` is the command `interstage`."""

from .cli.entry import main

main()

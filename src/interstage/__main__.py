"""`python -m interstage` is the command `interstage`."""

from .cli.main import main

main()

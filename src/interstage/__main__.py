"""`python -m interstage` is the command `interstage`."""

from .cli import main

main()

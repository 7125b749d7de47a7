"""Start the command `interstage`. Signal handlers are installed before other modules are imported, so that
Ctrl-C always works.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from ..tree import interruption


def main() -> None:
    """Run the command line. Ctrl-C or SIGTERM ends the command at any time, with a message of one line."""
    interruption.listen()
    from .main import main as run

    interruption.end_imports()
    try:
        run()
    except SystemExit as end:
        if interruption.came():
            _end(end.code or interruption.ENDED_EARLY)
        raise


def _end(code: object) -> None:
    """End without waiting. Python would wait for threads that compile, and would end by the signal itself if
    the signal came while a library evaluated code."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # full, closed, or none
            stream.flush()
    os._exit(code if isinstance(code, int) else 1)

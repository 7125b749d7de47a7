"""Where the command `interstage` begins: it listens for Ctrl-C before it imports anything else."""

from __future__ import annotations

import os
import signal
import sys
from typing import Any, NoReturn

ENDED_EARLY = 4
"""Exit code of what Ctrl-C stops, as in `shared`, which is not imported yet."""


class Interruption:
    """Whether Ctrl-C was pressed. Libraries that are being imported may make another error of it."""

    came = False


def main() -> None:
    """Run the command line; Ctrl-C ends it with one line whenever it comes."""
    listens = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # else it is to be ignored
    if listens:
        signal.signal(signal.SIGINT, _end_at_once)
    from .main import main as run

    if listens:
        signal.signal(signal.SIGINT, _interrupt)
    run()


def _end_at_once(*_: Any) -> NoReturn:
    """While modules are imported there is nothing to keep, and no place from which an error would come back
    unharmed."""
    os.write(2, b"Interrupted.\n")
    os._exit(ENDED_EARLY)


def _interrupt(*_: Any) -> NoReturn:
    spec = getattr(sys.modules.get("jax"), "__spec__", None)
    if getattr(spec, "_initializing", False):  # before anything is flown
        _end_at_once()
    Interruption.came = True
    raise KeyboardInterrupt

"""Orderly end of a process after Ctrl-C, or after a signal of a batch system or terminal.

The first signal raises KeyboardInterrupt in the main thread. While a flight is protected (`keep`), the signal
takes effect only at `release`. A second Ctrl-C then ends the command without saving the flight. If Python
ignores a KeyboardInterrupt in a callback, it is raised again.

Only the command line calls `listen`. Without this call, Python's own handler raises KeyboardInterrupt, and
this module has no effect. The module imports few other modules because it is loaded first.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

ENDED_EARLY = 4
"""Exit code of a command that a signal stopped. The code equals the code in `cli.shared`, which is not yet
imported when this module is loaded.
"""
SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGXCPU")
"""Names of the signals that stop the process, in this order: Ctrl-C; `kill` and batch systems; a closed
terminal; a limit of processor time.
"""
SAME_PRESS = 0.5
"""Time [s] after the first signal in which a further signal is ignored.

Programs such as make and uv pass Ctrl-C on, so that one Ctrl-C can arrive twice.
"""
AGAIN = 0.02
"""Delay [s] after which a KeyboardInterrupt that Python ignored is raised again."""
NOTICE = b"Interrupted; what was flown is being saved. Ctrl-C again ends at once.\n"


class _State:
    """State of this process. saves: whether the command saves its flights."""

    came = False
    first = 0.0
    listening = False
    importing = True
    saves = False
    kept = False
    pending = False


def listen() -> None:
    """Install handlers for the stop signals. Signals whose handler was already changed or that are ignored,
    as in a background process, are left unchanged.
    """
    for name in SIGNALS:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _stop)
            _State.listening = True
    if _State.listening:
        sys.unraisablehook = _unraisable


def end_imports() -> None:
    """State that all imports are complete. A stop signal then ends the process in an orderly way and not
    at once.
    """
    _State.importing = False


def came() -> bool:
    """Return whether a stop of this process was requested. The function is needed because libraries can
    convert KeyboardInterrupt to another error.
    """
    return _State.came


def save_what_is_flown() -> None:
    """State that the command saves its flights from now on. Without this call, `keep` has no effect."""
    _State.saves = True


def keep() -> None:
    """Protect unsaved flights. A first stop signal then takes effect only at `release`."""
    _State.kept = _State.saves


def release() -> None:
    """End the protection by `keep`. Raises KeyboardInterrupt if a stop signal arrived in the meantime."""
    _State.kept = False
    if _State.pending:
        _State.pending = False
        raise KeyboardInterrupt


def _stop(number: int, frame: Any) -> None:
    importing = _State.importing or _being_imported("jax")
    if importing and not _State.kept:  # there is no flight to protect
        _end_at_once()
    now = time.monotonic()
    same = _State.came and now - _State.first < SAME_PRESS
    again = _State.came and not same
    if not _State.came:
        _State.came, _State.first = True, now
    if not _State.kept:
        if not same:
            raise KeyboardInterrupt
    elif again and number == signal.SIGINT:
        if importing:
            _end_at_once()
        _State.pending = False
        raise KeyboardInterrupt
    elif not _State.pending and not same:
        _State.pending = True
        _print(NOTICE)


def _being_imported(name: str) -> bool:
    spec = getattr(sys.modules.get(name), "__spec__", None)
    return bool(getattr(spec, "_initializing", False))


def _unraisable(lost: Any) -> None:
    """Handle a KeyboardInterrupt that Python ignores, as it does in callbacks of the garbage collector and of
    weak references."""
    if not isinstance(lost.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(lost)
        return
    import threading

    timer = threading.Timer(AGAIN, _raise_again)
    timer.daemon = True
    timer.start()


def _raise_again() -> None:
    _State.came = False
    os.kill(os.getpid(), signal.SIGINT)


def _end_at_once() -> NoReturn:
    """End the process at once during imports, where an exception would not arrive unchanged."""
    _print(b"Interrupted.\n")
    os._exit(ENDED_EARLY)


def _print(text: bytes) -> None:
    with suppress(OSError):  # the terminal is gone
        os.write(2, text)

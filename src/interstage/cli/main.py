"""The command `interstage`. Each command imports what it needs when it runs, so that all start quickly.

Exit codes: 0 done, 1 a validation case failed, 2 bad input, 3 a requirement of the scenario is broken, or an
optimum is not to be trusted, 4 the flight ended early.
"""

from __future__ import annotations

import errno
import gc
import os
import sys
from collections.abc import Iterator
from typing import Annotated, NoReturn

import typer

from ..tree import interruption
from ..tree.errors import BadInput, print_error, why
from . import flights, studies  # noqa: F401 - they add their commands
from .shared import BAD_INPUT, ENDED_EARLY, app

OUTPUT_FAILS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
"""Errors of a full disk or a terminal that is gone. Those of files have a name, or are bad input already."""
GARBAGE = 400_000
"""New objects after which Python looks for unused ones: a check and a second run make fewer, which stay.
Looking after every 700 is a tenth of a second run, after every 100,000 a twentieth. The memory of a run is
the same."""


def _say_version(asked: bool) -> None:
    if asked:
        from .. import __version__

        print(f"interstage {__version__}")
        print("\n".join(_of_other_packages()))
        raise typer.Exit


def _of_other_packages() -> Iterator[str]:
    """Which packages of parts there are beside Interstage's own, and which were left out."""
    from ..tree import packages

    found = packages.catalogue()
    for package in found.others:
        yield f"parts of {package}"
    for package, reason in found.left_out.items():
        yield f"left out are the parts of {package}: {reason}"
    for name in packages.likely_unannounced():
        yield f'{name} is installed without an entry point "{packages.GROUP}"; parts of it are not found'
    if not found.others and not found.left_out:
        yield f'no parts of other packages (entry points "{packages.GROUP}")'


@app.callback()
def common(
    version: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Launch vehicles that hold together, let go and must not touch again."""


def main() -> None:
    """Run the command line; bad input becomes a readable list and exit code 2."""
    # XLA's own words, such as "Very slow compile? file a bug", say nothing to somebody who flies a scenario;
    # what goes wrong is an error all the same. Read as JAX is imported.
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    gc.set_threshold(GARBAGE)
    _open_closed()
    try:
        _run()
    except BadInput as error:
        _say_problems(error)
        sys.exit(BAD_INPUT)
    except BrokenPipeError:  # the reader of the output, such as `head`, has had enough
        sys.stdout = None  # type: ignore[assignment]
        sys.exit(0)
    except KeyboardInterrupt:
        _end_interrupted()
    except Exception as error:
        if interruption.came():
            _end_interrupted()
        from ..tree.packages import blamed, fault

        package = blamed(error)
        if package is None:
            raise
        _say_problems(BadInput(fault(error, package)))
        sys.exit(BAD_INPUT)
    finally:
        # Python looks through all objects several times as it ends, a quarter of a second run: frozen ones
        # are left to the system, which takes the memory back at once. What has to be closed was closed.
        gc.freeze()


def _open_closed() -> None:
    """Put nothing in the place of standard streams that are closed, so that no file gets their numbers."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


def _run() -> None:
    """Run the command, and write all that it printed. Raises BadInput if the output cannot be written."""
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except OSError as error:
        if error.errno not in OUTPUT_FAILS or error.filename is not None:
            raise
        sys.stdout = None  # type: ignore[assignment] # Python would try again as it ends
        text = f"cannot write to the standard output: {why(error)}. Files that were asked for are written"
        raise BadInput(f"{text}; free some space, or print to another place") from None


def _end_interrupted() -> NoReturn:
    print_error("Interrupted.")
    sys.exit(ENDED_EARLY)


def _say_problems(error: BadInput) -> None:
    head = error.source or "error"
    if len(error.problems) == 1:
        print_error(f"{head}: {error.problems[0]}")
        return
    print_error(f"{head}: {len(error.problems)} problems")
    for problem in error.problems:
        print_error(f"  {problem}")

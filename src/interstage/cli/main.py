"""The command `interstage`. Each command imports its modules when it runs, so that all commands start
quickly.

Exit codes:

- 0: success.
- 1: a validation case failed.
- 2: bad input.
- 3: a requirement failed, or an optimum is not confirmed.
- 4: the flight ended early.
- 5: a campaign has too few cases to decide.
"""

from __future__ import annotations

import errno
import gc
import os
import sys
from collections.abc import Iterator, Sequence
from copy import copy
from typing import Annotated, NoReturn

import typer
from typer.main import get_command_name
from typer.models import CommandInfo

from ..tree import interruption
from ..tree.errors import BadInput, print_error, why
from . import flights, new, studies, topics  # noqa: F401 - they add their commands
from .exit_codes import BAD_INPUT, ENDED_EARLY
from .shared import app

OUTPUT_FAILS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
"""Error numbers of a full disk or a closed terminal.

The numbers apply to the standard output. Errors of named files are reported as bad input.
"""
GARBAGE = 400_000
"""Number of new objects after which Python collects garbage. A check and a second run create fewer objects.

With a collection after every 700 objects, the garbage collector takes a tenth of the time of a second run.
With 100,000 objects, the garbage collector takes a twentieth of this time. The memory of a run does not
change.
"""


def _print_version(asked: bool) -> None:
    if asked:
        from .. import __version__

        print(f"interstage {__version__}")
        print("\n".join(_of_other_packages()))
        raise typer.Exit


def _of_other_packages() -> Iterator[str]:
    """Yield one line for each installed package that adds models, or whose models cannot be used."""
    from ..tree import packages

    found = packages.catalogue()
    for package in found.others:
        yield f"The package {package} adds models."
    for package, reason in found.left_out.items():
        yield f"The models of the package {package} cannot be used: {reason}"
    for name in packages.likely_unannounced():
        yield (
            f'The package {name} has no entry point "{packages.GROUP}", so that interstage does'
            " not find its models."
        )
    if not found.others and not found.left_out:
        yield f'No installed package adds models to interstage (entry point "{packages.GROUP}").'


@app.callback()
def common(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_print_version,
            is_eager=True,
            help="Print the version of interstage and the names of installed packages that add models.",
        ),
    ] = False,
) -> None:
    """Simulate ascent, stage separation and entry of launch vehicles.

    Results include joint loads, releases and clearances between bodies.
    """


def main() -> None:
    """Run the command line. For bad input, print the list of problems and end with exit code 2."""
    # XLA prints notes such as "Very slow compile? file a bug", which do not help users; its errors are still
    # raised. The variable is read when JAX is imported.
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    gc.set_threshold(GARBAGE)
    _open_closed()
    try:
        _run()
    except BadInput as error:
        _print_problems(error)
        sys.exit(BAD_INPUT)
    except BrokenPipeError:  # the reader of the output, for example `head`, has ended
        sys.stdout = None  # type: ignore[assignment]
        sys.exit(0)
    except KeyboardInterrupt:
        _end_interrupted()
    except Exception as error:
        if interruption.came():
            _end_interrupted()
        from ..tree.packages import fault, package_of_error

        package = package_of_error(error)
        if package is None:
            raise
        _print_problems(BadInput(fault(error, package)))
        sys.exit(BAD_INPUT)
    finally:
        # Python examines all objects several times as it ends, a quarter of the time of a second run. Frozen
        # objects are left to the system, which frees the memory at once. All files are closed already.
        gc.freeze()


def application_for(words: Sequence[str]) -> typer.Typer:
    """Return the application with only the command that the first word names. If the command line names no
    command, return all commands and the options that install shell completion.

    words: arguments of the command line. Typer would take 30 ms to prepare the options of all commands.
    """
    own = [one for one in app.registered_commands if words and _name_of(one) == words[0]]
    alone = copy(app)
    alone.registered_commands = own or app.registered_commands
    alone._add_completion = not own  # has no public name; `Typer(add_completion=...)` sets it
    return alone


def _name_of(command: CommandInfo) -> str:
    return command.name or get_command_name(getattr(command.callback, "__name__", ""))


def _open_closed() -> None:
    """Replace closed standard streams, so that no file gets their descriptors."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


def _run() -> None:
    """Run the command and write its output. Raises BadInput if the output cannot be written."""
    try:
        try:
            application_for(sys.argv[1:])()
        finally:
            sys.stdout.flush()
    except OSError as error:
        if error.errno not in OUTPUT_FAILS or error.filename is not None:
            raise
        sys.stdout = None  # type: ignore[assignment] # Python would try again as it ends
        text = f"the text cannot be written to the standard output: {why(error)}. Requested files were saved"
        raise BadInput(
            f"{text}. Free space on the disk, or redirect the standard output to another file."
        ) from None


def _end_interrupted() -> NoReturn:
    print_error("Interrupted.")
    sys.exit(ENDED_EARLY)


def _print_problems(error: BadInput) -> None:
    head = error.source or "error"
    if len(error.problems) == 1:
        print_error(f"{head}: {error.problems[0]}")
    else:
        print_error(f"{head}: {len(error.problems)} problems")
        for problem in error.problems:
            print_error(f"  {problem}")
    from .see_also import topic_of_problems

    if topic := topic_of_problems(error.problems, error.source):
        print_error(f"See: interstage explain {topic}")

"""Code that all commands share: the application, types of arguments, exit codes, and interruption."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from ..tree import interruption
from ..tree.errors import BadInput, Problem, print_error
from . import complete
from .exit_codes import ENDED_EARLY


class Commands(TyperGroup):
    """Group of the commands. Ctrl-C prints one line and ends a command with exit code 4."""

    def make_context(self, *args: Any, **options: Any) -> Any:
        try:
            return super().make_context(*args, **options)
        except KeyboardInterrupt:
            print_error("Interrupted.")
            raise typer.Exit(ENDED_EARLY) from None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, command, left = super().resolve_command(ctx, args)
        if not ctx.resilient_parsing:  # of a shell that completes a word
            _refuse_repeated(command, left)
        return name, command, left

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            print_error("Interrupted.")
            raise typer.Exit(ENDED_EARLY) from None


def _refuse_repeated(command: Any, words: list[str]) -> None:
    """Raise BadInput for an option that takes one value and has several. Only the last would count."""
    options = [one for one in getattr(command, "params", ()) if one.opts[0].startswith("-")]
    taking = {name: one for one in options if not one.is_flag for name in one.opts}
    given: dict[str, list[str]] = {}
    left = iter(words)
    for word in left:
        name, sign, value = word.partition("=") if word.startswith("--") else (word, "", "")
        if name in taking:
            value = value if sign else next(left, "")
            given.setdefault(taking[name].opts[-1], []).append(value)
    several = {name for one in options if one.multiple for name in one.opts}
    problems = [
        Problem(name, f"the option is set {len(values)} times ({', '.join(values)}). Keep one value.")
        for name, values in given.items()
        if len(values) > 1 and name not in several
    ]
    if problems:
        raise BadInput(problems)


app = typer.Typer(
    cls=Commands,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

File = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", help="Path of the scenario (.toml) or of the saved flight (.nc).", show_default=False
    ),
]
Changes = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="PATH=VALUE",
        autocompletion=complete.paths,
        help="Set the input PATH of the scenario to VALUE, for example "
        'bodies.payload.mass="900 kg". Repeatable.',
    ),
]
Units = Annotated[
    str | None,
    typer.Option(
        metavar="SI|US",
        autocompletion=complete.units,
        help="Set the units of tables and plots: SI units or US customary units. Default: the units of the "
        "scenario.",
    ),
]
Trust = Annotated[
    bool,
    typer.Option(
        "--trust",
        help="Run the user-defined Python classes of a saved flight without asking for confirmation.",
    ),
]
Report = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write a report with tables and plots to this HTML file.")
]
Playback = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write the playback (an animation of the flight) to this HTML file."),
]


@contextmanager
def before_anything_was(done: str) -> Iterator[None]:
    """On Ctrl-C within a `with` block, print that no result exists yet, and end the command with exit code 4.

    done: word for the missing action in the message "Nothing was ...", for example "saved".
    """
    try:
        yield
    except KeyboardInterrupt:
        print_error(f"Interrupted. Nothing was {done}.")
        raise typer.Exit(ENDED_EARLY) from None


@contextmanager
def finishing() -> Iterator[None]:
    """Delay the first Ctrl-C within a `with` block until results are saved and printed."""
    interruption.save_what_is_flown()
    interruption.keep()
    yield
    interruption.release()

"""What the commands share: the application, kinds of arguments, exit codes, interruption."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from ..tree import interruption
from ..tree.errors import BadInput, Problem, print_error

CASE_FAILED, BAD_INPUT, REQUIREMENT_BROKEN, ENDED_EARLY = 1, 2, 3, 4


class Commands(TyperGroup):
    """The commands, of which one that Ctrl-C stops says so, and ends with exit code 4."""

    def make_context(self, *args: Any, **options: Any) -> Any:
        try:
            return super().make_context(*args, **options)
        except KeyboardInterrupt:
            print_error("Interrupted.")
            raise typer.Exit(ENDED_EARLY) from None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, command, left = super().resolve_command(ctx, args)
        _refuse_repeated(command, left)
        return name, command, left

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            print_error("Interrupted.")
            raise typer.Exit(ENDED_EARLY) from None


def _refuse_repeated(command: Any, words: list[str]) -> None:
    """Refuse an option that takes one value and is given several, of which only the last would count. Raises
    BadInput."""
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
        Problem(name, f"is given {len(values)} times, {' and '.join(values)}; keep one")
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
    typer.Argument(metavar="FILE", help="A scenario (.toml) or a saved flight (.nc).", show_default=False),
]
Changes = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="PATH=VALUE", help='Change an input: bodies.payload.mass="900 kg".'),
]
Units = Annotated[str | None, typer.Option(help="Units of tables and plots, SI or US; else the scenario's.")]
Trust = Annotated[
    bool,
    typer.Option("--trust", help="Run the user's classes that the scenario of a saved flight names."),
]
Report = Annotated[Path | None, typer.Option(help="Write a report as one HTML page.")]


@contextmanager
def before_anything_was(done: str) -> Iterator[None]:
    """A command that Ctrl-C stops says that it has nothing to keep yet, and ends with exit code 4."""
    try:
        yield
    except KeyboardInterrupt:
        print_error(f"Interrupted before anything was {done}.")
        raise typer.Exit(ENDED_EARLY) from None


@contextmanager
def finishing() -> Iterator[None]:
    """While results are saved and printed, a first Ctrl-C waits until the end."""
    interruption.save_what_is_flown()
    interruption.keep()
    yield
    interruption.release()

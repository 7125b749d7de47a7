"""What the command `interstage linearize` does between its words and exit codes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ...flight.progress import shown
from ...tree.errors import BadInput, Problem, listed

if TYPE_CHECKING:
    from .floquet import Periodic
    from .result import Linear, Series


MOST = 3
"""Moments that are named beside a note."""


class Wanted(NamedTuple):
    """What is asked for, as `linearize` has it; none where nothing was said."""

    at: list[str] | None
    along: str | None
    inputs: list[str] | None
    outputs: list[str] | None
    axes: str
    coordinates: list[str] | None
    leg: str | None
    vary: list[str] | None
    find: list[str] | None
    so_that: list[str] | None
    free: list[str] | None
    blades: list[str] | None
    shaft: str | None
    period: str | None


def linearized(scenario: Any, wanted: Wanted) -> Linear | Series | Periodic:
    """Find what is asked for, and say on the standard error what is compiled. Raises BadInput."""
    if wanted.at and wanted.along:
        raise BadInput(Problem("--along", "goes in place of --at; give one of them"))
    at = wanted.at or ["start"]
    how = {"along": wanted.along, "axes": wanted.axes, "leg": wanted.leg}
    how |= {"coordinates": wanted.coordinates or (), "vary": wanted.vary}
    how |= {"find": wanted.find or (), "so_that": wanted.so_that or "steady", "free": wanted.free or ()}
    how |= {"blades": wanted.blades or (), "shaft": wanted.shaft, "period": wanted.period}
    with shown(lines=True):
        return scenario.linearize(at if len(at) > 1 else at[0], wanted.inputs or (), wanted.outputs, **how)


def deliver(
    found: Linear | Series | Periodic, output: Path | None, units: str | None, whole: bool = False
) -> None:
    """Save first; then states, modes and notes. whole: each of many states and modes."""
    from ...report.console import made, show_with_notes
    from .floquet import Periodic
    from .result import Series

    if output is not None:
        (found.to_mat if output.suffix.lower() == ".mat" else found.to_netcdf)(output)
    each: list[Any] = list(found) if isinstance(found, Series) else [found]
    shown_in: str = units or each[0].scenario.units
    trimmed = each[0].trimmed.tables(shown_in) if len(each) == 1 and each[0].trimmed else []
    show_with_notes(made(), [*trimmed, *found.tables(shown_in, whole)])
    for note, moments in _noted(each).items():
        print(note if len(moments) == len(each) else f"{note} ({listed(moments, MOST)})")
    first = found.series[0] if isinstance(found, Periodic) else each[0]
    those = each if isinstance(found, Series) else [first]
    states, outputs = (_from_to(len(getattr(one, what)) for one in those) for what in ("states", "outputs"))
    sizes = f"{states} states, {len(first.inputs)} inputs, {outputs} outputs"
    print(
        f"{sizes}. " + (f"Wrote {output}." if output else "Not saved; -o linear.nc or linear.mat saves them.")
    )


def _from_to(counts: Iterable[int]) -> str:
    """The least and the largest number, or one where they are the same."""
    some = [*counts]
    return " to ".join(map(str, sorted({min(some), max(some)})))


def _noted(each: list[Any]) -> dict[str, list[str]]:
    """The notes, each with the moments that it is about."""
    found: dict[str, list[str]] = {}
    for one in each:
        for note in one.notes:
            found.setdefault(note, []).append(one.moment)
    return found

"""The command `interstage linearize`, without its options and exit codes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ...programs.progress import progress_display
from ...tree.errors import BadInput, Problem, count_text, list_text, near
from ...tree.saving import save_file

if TYPE_CHECKING:
    from ...drawing.table import Table
    from ...linear.responses import Frequencies
    from .floquet import Periodic
    from .result import Linear, Series


MOST_LISTED = 3
"""Most operating points that are named after a note."""


class Wanted(NamedTuple):
    """Arguments of `linearize`; None for options that are not set."""

    at: list[str] | None
    along: str | None
    inputs: list[str] | None
    outputs: list[str] | None
    axes: str | None
    coordinates: list[str] | None
    leg: str | None
    vary: list[str] | None
    find: list[str] | None
    so_that: list[str] | None
    free: list[str] | None
    blades: list[str] | None
    shaft: str | None
    period: str | None
    slow: str | None = None


def compute_linear(scenario: Any, wanted: Wanted) -> Linear | Series | Periodic:
    """Compute the linear equations; report compilation on the standard error. Raises BadInput."""
    if wanted.at and wanted.along:
        raise BadInput(Problem("--along", "--along and --at are both set. Keep one of the two options"))
    at = wanted.at or ["start"]
    how = {"along": wanted.along, "axes": wanted.axes, "leg": wanted.leg}
    how |= {"coordinates": wanted.coordinates or (), "vary": wanted.vary}
    how |= {"find": wanted.find or (), "so_that": wanted.so_that or None, "free": wanted.free or ()}
    how |= {"blades": wanted.blades or (), "shaft": wanted.shaft, "period": wanted.period}
    how |= {"slow": wanted.slow}
    with progress_display(lines=True):
        return scenario.linearize(at if len(at) > 1 else at[0], wanted.inputs or (), wanted.outputs, **how)


class Responses(NamedTuple):
    """Responses to save.

    bode, step, modes: files, None for none; band and duration of the responses; loops: commands at which
    loops are opened for margins and frequency responses."""

    bode: Path | None = None
    step: Path | None = None
    band: str | None = None
    duration: str | None = None
    loops: tuple[str, ...] = ()
    modes: Path | None = None

    @property
    def files(self) -> dict[str, Path]:
        """Files to write, by option."""
        each = {"bode": self.bode, "step": self.step, "modes": self.modes}
        return {name: file for name, file in each.items() if file is not None}

    def check(self, wanted: Wanted) -> None:
        """Check the options before any flight. Raises BadInput."""
        from ...linear.responses import band_of
        from .response_files import check_responses

        for name, file, text in (("band", self.bode, self.band), ("duration", self.step, self.duration)):
            if text is not None and file is None:
                what = "bode" if name == "band" else "step"
                raise BadInput(
                    Problem(f"--{name}", f"--{name} needs --{what}. Set --{what} FILE, or remove --{name}")
                )
        if self.bode is not None and len(self.loops) > 1:
            text = "one plot of --bode shows only one open loop. Run the command once for each --loop"
            raise BadInput(Problem("--bode", text))
        seen: dict[Path, str] = {}
        for name, file in self.files.items():
            check_responses(file)
            other = seen.setdefault(file.resolve(), name)
            if other != name:
                raise BadInput(
                    Problem(f"--{name}", f"'{file}' is also the file of --{other}. Name another file")
                )
        several = wanted.along is not None or wanted.vary or len(wanted.at or ()) > 1
        if self.modes is not None and not several:
            text = "--modes needs several operating points. Set --along, --vary, or --at several times"
            raise BadInput(Problem("--modes", text))
        if self.band is not None:
            band_of(self.band)


def with_loops(scenario: Any, wanted: Wanted, loops: Sequence[str]) -> Wanted:
    """The arguments with the commands of loops among inputs and outputs, and with the leg. Raises BadInput if
    a loop is not a command."""
    if not loops:
        return wanted
    from ...linear.points import course_of
    from ...linear.ports import signals_of

    at = "start" if wanted.at in (None, ["trim"]) else wanted.at
    course = course_of(scenario, wanted.leg, at, wanted.along)
    commands = [*signals_of(course.program.layout)]
    problems = [
        Problem(
            "--loop",
            f"'{one}' is not a control command; {near(one, commands, 'commands')}",
        )
        for one in loops
        if one not in commands and not any(name.startswith(f"{one}.") for name in commands)
    ]
    if problems:
        raise BadInput(problems)
    inputs, outputs = ([*(some or ())] for some in (wanted.inputs, wanted.outputs))
    inputs += [one for one in loops if one not in inputs]
    wanted = wanted._replace(leg=course.leg or None)
    return wanted._replace(inputs=inputs, outputs=outputs + [one for one in loops if one not in outputs])


def save_responses(
    found: Linear | Series | Periodic, asked: Responses, units: str | None, whole: bool = False
) -> list[Table]:
    """Save the responses and modes of all operating points; returns the table of margins. whole: save all
    modes. Raises BadInput."""
    if asked == Responses():
        return []
    from ...linear.responses import common_span
    from .floquet import Periodic
    from .response_files import margin_table, save
    from .result import Series

    if isinstance(found, Periodic):
        raise BadInput(
            Problem(
                "--period",
                "a periodic motion has no frequency or step response. Remove --period, or the responses",
            )
        )
    each: list[Any] = list(found) if isinstance(found, Series) else [found]
    if asked.modes is not None:
        from .mode_files import save_modes

        save_modes(asked.modes, Series(each), whole)
    if len({(one.inputs, one.outputs) for one in each}) > 1:
        raise BadInput(
            Problem(
                "--at",
                "the operating points have different inputs or outputs. Run the command once for each point",
            )
        )
    shown_in = units or each[0].scenario.units
    margins = [one.margins(loop) for one in each for loop in asked.loops]
    if asked.bode is not None:
        save(asked.bode, _frequency_responses(each, asked), shown_in, margins)
    if asked.step is not None:
        save(asked.step, [one.step(asked.duration or common_span(each)) for one in each], shown_in)
    return [margin_table(margins)] if margins else []


def _frequency_responses(each: Sequence[Linear], asked: Responses) -> list[Frequencies]:
    """Frequency responses at all operating points over one band, or of the open loop. Raises BadInput."""
    from ...linear.responses import common_band, loop_band, loop_response

    if not asked.loops:
        band = asked.band or common_band(each)
        return [one.bode(band) for one in each]
    (loop,) = asked.loops
    low, high = zip(*(loop_band(one, loop) for one in each))
    return [loop_response(one, loop, asked.band or (min(low), max(high))) for one in each]


def deliver(
    found: Linear | Series | Periodic,
    output: Path | None,
    units: str | None,
    whole: bool = False,
    responses: Responses | None = None,
) -> None:
    """Save, then print states, modes and notes. whole: print all states and modes."""
    from ...report.console import make_console, show_with_notes
    from .floquet import Periodic
    from .result import Series

    if output is not None:
        save = found.to_mat if output.suffix.lower() == ".mat" else found.to_netcdf
        save_file(output, save, "the linear equations")
    margins = save_responses(found, responses or Responses(), units, whole)
    each: list[Any] = list(found) if isinstance(found, Series) else [found]
    shown_in: str = units or each[0].scenario.units
    trimmed = each[0].trimmed.tables(shown_in) if len(each) == 1 and each[0].trimmed else []
    show_with_notes(make_console(), [*trimmed, *found.tables(shown_in, whole), *margins])
    for note, moments in _points_by_note(each).items():
        print(note if len(moments) == len(each) else f"{note} ({list_text(moments, MOST_LISTED)})")
    first = found.series[0] if isinstance(found, Periodic) else each[0]
    those = each if isinstance(found, Series) else [first]
    states, outputs = (_from_to(len(getattr(one, what)) for one in those) for what in ("states", "outputs"))
    sizes = f"The linear equations have {states} states, {count_text(len(first.inputs), 'inputs')} and"
    files = [str(file) for file in (responses or Responses()).files.values()]
    if files:
        print(f"Wrote {' and '.join(files)}.")
    unsaved = "The equations were not saved. To save the equations, add -o linear.nc or -o linear.mat."
    print(f"{sizes} {outputs} outputs.")
    print(f"Wrote {output}." if output else unsaved)


def _from_to(counts: Iterable[int]) -> str:
    """The least and the largest number; one number if they are equal."""
    some = [*counts]
    return " to ".join(map(str, sorted({min(some), max(some)})))


def _points_by_note(each: list[Any]) -> dict[str, list[str]]:
    """Each note with its operating points."""
    found: dict[str, list[str]] = {}
    for one in each:
        for note in one.notes:
            found.setdefault(note, []).append(getattr(one, "label", one.moment))
    return found

"""Actions of the command `interstage linearize`. The options and exit codes of the command are defined in the
command-line package.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ...programs.progress import progress_display
from ...tree.errors import BadInput, Problem
from ...tree.sentences import count_text, list_text
from ...tree.similar_names import near
from ..presentation.files import check_curves, save
from ..presentation.terminal import Printout, print_file_names
from .options import TRIM, LinearOptions

if TYPE_CHECKING:
    from ...drawing.table import Table
    from ...linear.responses import Frequencies
    from .floquet import Periodic
    from .result import Linear, Series

UNSAVED = "The equations were not saved. To save the equations, add -o linear.nc or -o linear.mat."
MOST_LISTED = 3
"""Largest number of operating points that are listed after a note."""


def compute_linear(scenario: Any, options: LinearOptions) -> Linear | Series | Periodic:
    """Compute the linear equations and print the progress of compilation to standard error. Raises
    BadInput.
    """
    from .run import linear_equations

    with progress_display(lines=True):
        return linear_equations(scenario, options)


class Responses(NamedTuple):
    """Files with frequency responses, step responses and modes that the user requests.

    - bode, step, modes: paths of the files, or None.
    - band: frequency range of `bode` as text.
    - duration: duration of `step` as text.
    - loops: control commands at which loops are opened, for margins and frequency responses.
    """

    bode: Path | None = None
    step: Path | None = None
    band: str | None = None
    duration: str | None = None
    loops: tuple[str, ...] = ()
    modes: Path | None = None

    @property
    def files(self) -> dict[str, Path]:
        """Return the paths of the files to write, by option name."""
        each = {"bode": self.bode, "step": self.step, "modes": self.modes}
        return {name: file for name, file in each.items() if file is not None}

    def check(self, options: LinearOptions) -> None:
        """Check the options before any flight is run. Raises BadInput."""
        from ...linear.responses import band_of

        for name, file, text in (("band", self.bode, self.band), ("duration", self.step, self.duration)):
            if text is not None and file is None:
                what = "--bode" if name == "band" else "--step"
                raise BadInput(
                    Problem(
                        f"--{name}",
                        f"this option has an effect with {what} only. Set {what} FILE, or remove --{name}",
                    )
                )
        if self.bode is not None and len(self.loops) > 1:
            text = "a plot of --bode shows one open loop only. Run the command once for each control loop"
            raise BadInput(Problem("--bode", text))
        seen: dict[Path, str] = {}
        for name, file in self.files.items():
            check_curves(file)
            other = seen.setdefault(file.resolve(), name)
            if other != name:
                raise BadInput(
                    Problem(f"--{name}", f"'{file}' is also the file of --{other}. Choose different files")
                )
        if self.modes is not None and not options.several:
            text = "--modes needs several operating points. Set --along or --vary, or repeat --at"
            raise BadInput(Problem("--modes", text))
        if self.band is not None:
            band_of(self.band)


def with_loops(scenario: Any, options: LinearOptions, loops: Sequence[str]) -> LinearOptions:
    """Return the options with the control commands of loops added to the inputs and outputs, and with the
    mission leg.

    loops: names of control commands. Raises BadInput if a name is not a control command.
    """
    if not loops:
        return options
    from ...linear.points import course_of
    from ...linear.ports import signals_of

    at = "start" if options.at == TRIM else options.at
    course = course_of(scenario, options.leg, at, options.along)
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
    names = ([*(some or ())] for some in (options.inputs, options.outputs))
    inputs, outputs = ([*some, *(one for one in loops if one not in some)] for some in names)
    return replace(options, leg=course.leg or None, inputs=inputs, outputs=outputs)


def save_responses(
    found: Linear | Series | Periodic, asked: Responses, units: str | None, whole: bool = False
) -> list[Table]:
    """Save the responses and modes at all operating points, and return the tables of stability margins.

    - units: "SI" or "US". None: the units of the scenario.
    - whole: whether all modes are saved.

    Raises BadInput.
    """
    if asked == Responses():
        return []
    from ...linear.responses import common_span
    from .floquet import Periodic
    from .response_files import margin_table, save_response_file
    from .result import Series

    if isinstance(found, Periodic):
        raise BadInput(
            Problem(
                "--period",
                (
                    "a periodic motion has no frequency or step response. Remove --period, or remove"
                    " --bode, --step, --modes and --loop"
                ),
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
        save_response_file(asked.bode, _frequency_responses(each, asked), shown_in, margins)
    if asked.step is not None:
        steps = [one.step(asked.duration or common_span(each)) for one in each]
        save_response_file(asked.step, steps, shown_in)
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
    """Save the linear equations and the responses, then print the states, modes and notes.

    - output: path of a .mat or NetCDF file, or None.
    - whole: whether all states and modes are printed.
    """
    from .result import Series

    responses = responses or Responses()
    write = found.to_mat if output is not None and output.suffix.lower() == ".mat" else found.to_netcdf
    save(output, write, "the linear equations")
    margins = save_responses(found, responses, units, whole)
    each: list[Any] = list(found) if isinstance(found, Series) else [found]
    shown_in: str = units or each[0].scenario.units
    trimmed = each[0].trimmed.tables(shown_in) if len(each) == 1 and each[0].trimmed else []
    tables = [*trimmed, *found.tables(shown_in, whole), *margins]
    Printout(tables, lines=[*_notes(each)]).show()
    print_file_names(responses.files.values())
    print(_sizes(found, each))
    print_file_names([output], UNSAVED)


def _notes(each: list[Any]) -> Iterator[str]:
    """The notes; those on some of the operating points only name them."""
    for note, moments in _points_by_note(each).items():
        yield note if len(moments) == len(each) else f"{note} ({list_text(moments, MOST_LISTED)})"


def _sizes(found: Linear | Series | Periodic, each: list[Any]) -> str:
    """Numbers of states, inputs and outputs in one sentence."""
    from .floquet import Periodic
    from .result import Series

    first = found.series[0] if isinstance(found, Periodic) else each[0]
    those = each if isinstance(found, Series) else [first]
    states, outputs = (_from_to(len(getattr(one, what)) for one in those) for what in ("states", "outputs"))
    inputs = count_text(len(first.inputs), "inputs")
    return f"The linear equations have {states} states, {inputs} and {outputs} outputs."


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

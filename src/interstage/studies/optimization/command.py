"""What the commands `interstage solve` and `interstage optimize` do between their words and exit codes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...drawing.table import number
from ...flight.progress import shown
from ...tree.bare_angles import states_si
from ...tree.errors import BadInput, print_error
from ...tree.saving import saved, write_file
from ...tree.toml_file import read_text, with_lines
from ...tree.units import PURE_UNITS, display
from ..asked import unit_of
from ..bare_amounts import warnings
from .declared import OptimizationStudy, read_study
from .gaps import Gap, gaps

if TYPE_CHECKING:
    from .result import Iterate, Optimum
    from .targeting import Solved


def solved(scenario: Any, inputs: list[str], so_that: list[str]) -> Solved:
    """Find what is asked for, and say on the standard error how far it is. Raises BadInput."""
    from .targeting import find

    with shown(lines=True):
        return find(scenario, inputs, so_that, _say)


def _say(text: str) -> None:
    print_error(text)


def deliver_solved(found: Solved, output: Path | None, units: str | None, source: Path) -> None:
    """Save first; then what was found. source: the file that was read."""
    if output is not None:
        save_scenario(found.scenario, output, source)
    from ...report.console import made, show_with_notes
    from .printed import solved_tables

    show_with_notes(made(), solved_tables(found, units or found.scenario.units))
    print(f"{found.flights} flights, {found.seconds:.1f} s.")
    print(f"Wrote {output}." if output else "Not saved; -o found.toml writes the scenario.")


def save_scenario(scenario: Any, path: Path, source: Path | None = None) -> None:
    """Write a scenario that was found: as the text of the file that it comes from with other values, where
    that can be, else all of it in SI. Raises BadInput."""
    saved(path, lambda target: _write_scenario(scenario, target, source), "the scenario")


def _write_scenario(scenario: Any, path: Path, source: Path | None) -> None:
    text = None
    if source is not None and source.suffix.lower() == ".toml":
        from ..kept_text import kept

        text = kept(read_text(source), scenario, source.parent, path.parent)
    write_file(path, text or scenario.to_toml())


def optimized(file: Path, scenario_of: Callable[[Path], Any], resume: bool, check: bool) -> Optimum:
    """Find the optimum that a study asks for, and say on the standard error how far it is. Raises BadInput
    with everything that is wrong, before anything is flown."""
    found = read_study(file, scenario_of)
    if found is None:
        read_text(file)  # a folder, or what is no text, is reported as such
        text = "is no study: it has no variables and names no scenario. Write one beside the scenario"
        raise BadInput(f"{text}; docs/optimization.md says how", str(file))
    study, lines = found
    scenario = scenario_of(file.parent / study.scenario)
    for text in () if states_si(read_text(file)) else warnings(scenario, study.inputs, study.constraints):
        _say(f"Warning: {text}")
    from .resume import beside
    from .run import optimize

    try:
        with shown(lines=True):
            return optimize(scenario, study, _telling(scenario, study), beside(file), resume, check)
    except BadInput as error:
        raise BadInput(with_lines(list(error.problems), lines), str(file)) from None


def _telling(scenario: Any, study: OptimizationStudy) -> Callable[[Iterate], None]:
    """What states how far it is, in a line for each iteration."""

    def shown_as(quantity: str) -> tuple[float, str]:
        factor, unit = display(unit_of(scenario, quantity), scenario.units)
        return factor, "" if unit in PURE_UNITS else f" {unit}"

    def told(one: Iterate) -> None:
        objective = f"moved by {one.objective:.3g}"
        if study.objective:
            units = {shown_as(term.quantity) for term in study.objective}
            factor, unit = units.pop() if len(units) == 1 else (1.0, "")
            objective = f"objective {one.objective * factor:.8g}{unit}"
        worst = "all kept"
        if one.worst > 1.0 and not one.which:
            worst = f"equations off by {one.worst * study.solver.tolerance:.1e}"
        elif one.worst > 1.0:
            gaps_too = (*study.constraints, *gaps(study.nodes))
            row = next(row for row in gaps_too if row.name == one.which)
            factor, unit = (1.0, f" {row.unit}") if isinstance(row, Gap) else shown_as(row.quantity)
            worst = f"{one.which} beyond by {number(one.beyond * factor, 3)}{unit}"
        _say(f"iteration {one.number}: {objective}, {worst}, {one.seconds:.1f} s")

    return told


def deliver_optimum(
    found: Optimum, output: Path | None, report: Path | None, units: str | None, folder: Path
) -> None:
    """Save first, so that nothing that goes wrong later costs it; then the tables and the report."""
    shown_in = units or found.scenario.units
    if output is not None:
        save_scenario(found.scenario, output, folder / found.study.scenario)
    from rich.text import Text

    from ...report.console import made, show_with_notes
    from .printed import how, notes, optimum_tables

    console = made()
    show_with_notes(console, optimum_tables(found, shown_in))
    for note in notes(found, shown_in):
        console.print(Text(note), style="yellow")
    console.print(Text(how(found)))
    console.print(Text(found.verdict), style=None if found.trusted else "bold red")
    if report is not None:
        found.report(report, units)
    written = [str(path) for path in (output, report) if path is not None]
    print(f"Wrote {' and '.join(written)}." if written else "Not saved; -o best.toml writes the scenario.")

"""Actions of the commands `interstage solve` and `interstage optimize`. The options and exit codes of the
commands are defined in the command-line package.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...drawing.table import number
from ...programs.progress import progress_display
from ...tree.bare_angles import states_si
from ...tree.errors import BadInput, print_error
from ...tree.toml_file import read_text
from ...tree.units import PURE_UNITS, display
from ..asked import unit_of
from ..bare_amounts import warnings
from ..presentation.files import save_scenario
from ..presentation.terminal import Printout, print_file_names
from ..study_file import in_study
from ..study_warnings import print_warnings
from .declared import OptimizationStudy, read_study
from .gaps import Gap, gaps

if TYPE_CHECKING:
    from .result import Iterate, Optimum
    from .targeting import Solved


def solve_inputs(scenario: Any, inputs: list[str], so_that: list[str], units: str | None = None) -> Solved:
    """Find the inputs that satisfy conditions. Warnings and progress are printed to standard error.

    - inputs: texts of the inputs, "PATH" or "PATH=LOW:HIGH".
    - so_that: texts of the conditions, "QUANTITY@EVENT = VALUE".
    - units: "SI" or "US". None: the units of the scenario.

    Raises BadInput.
    """
    from .targeting import find

    print_warnings(scenario, units)
    with progress_display(lines=True):
        return find(scenario, inputs, so_that, _print_progress)


def _print_progress(text: str) -> None:
    print_error(text)


def deliver_solved(found: Solved, output: Path | None, units: str | None, source: Path) -> None:
    """Save the scenario with the found inputs, and print the solution.

    - output: path of the new scenario file, or None.
    - source: path of the original scenario file.
    """
    save_scenario(found.scenario, output, source)
    from .printed import solved_tables

    effort = f"The search needed {found.flights} flights and {found.seconds:.1f} s."
    Printout(solved_tables(found, units or found.scenario.units), lines=[effort]).show()
    print_file_names([output], "The solution was not saved. To write the scenario, add -o found.toml.")


def run_optimization(
    file: Path, scenario_of: Callable[[Path], Any], resume: bool, check: bool, units: str | None = None
) -> Optimum:
    """Run the optimization in a study file. Warnings and progress are printed to standard error.

    - scenario_of: function that reads a scenario from its path.
    - resume: whether the optimization continues from saved progress.
    - check: whether derivatives are compared with finite differences.

    Raises BadInput with all problems before any flight.
    """
    found = read_study(file, scenario_of)
    if found is None:
        read_text(file)  # reports a folder, or a file that is not text
        text = (
            "the file is not an optimization study: the keys variables and scenario are missing."
            " Write a study file next to the scenario file"
        )
        raise BadInput(f"{text}. See docs/optimization.md", str(file))
    study, lines = found
    scenario = scenario_of(file.parent / study.scenario)
    in_si = states_si(read_text(file))
    print_warnings(scenario, units, () if in_si else warnings(scenario, study.inputs, study.constraints))
    from .resume import progress_file
    from .run import optimize

    with in_study(file, lines), progress_display(lines=True):
        return optimize(
            scenario, study, _progress_printer(scenario, study), progress_file(file), resume, check
        )


def _progress_printer(scenario: Any, study: OptimizationStudy) -> Callable[[Iterate], None]:
    """Function that prints one line for each iteration."""

    def shown_as(quantity: str) -> tuple[float, str]:
        factor, unit = display(unit_of(scenario, quantity), scenario.units)
        return factor, "" if unit in PURE_UNITS else f" {unit}"

    def print_iteration(one: Iterate) -> None:
        objective = f"change of variables {one.objective:.3g}"
        if study.objective:
            units = {shown_as(term.quantity) for term in study.objective}
            factor, unit = units.pop() if len(units) == 1 else (1.0, "")
            objective = f"objective {one.objective * factor:.8g}{unit}"
        worst = "all constraints met"
        if one.worst > 1.0 and not one.which:
            worst = f"error of the equations of motion {one.worst * study.solver.tolerance:.1e}"
        elif one.worst > 1.0:
            gaps_too = (*study.constraints, *gaps(study.nodes))
            row = next(row for row in gaps_too if row.name == one.which)
            factor, unit = (1.0, f" {row.unit}") if isinstance(row, Gap) else shown_as(row.quantity)
            worst = f"constraint {one.which} violated by {number(one.beyond * factor, 3)}{unit}"
        _print_progress(f"iteration {one.number}: {objective}, {worst}, {one.seconds:.1f} s")

    return print_iteration


def deliver_optimum(
    found: Optimum, output: Path | None, report: Path | None, units: str | None, folder: Path
) -> None:
    """Save the scenario with the optimal inputs, print the tables and write the HTML report.

    - output, report: paths of the scenario file and of the report, or None.
    - folder: folder of the study file.
    """
    shown_in = units or found.scenario.units
    save_scenario(found.scenario, output, folder / found.study.scenario)
    from .printed import how, notes, optimum_tables

    shown = optimum_tables(found, shown_in), notes(found, shown_in), [how(found)]
    Printout(*shown, verdict=found.verdict, good=found.trusted, narrow=True).show()
    if report is not None:
        found.report(report, units)
    print_file_names([output, report], "The optimum was not saved. To write the scenario, add -o best.toml.")

"""Actions of the command `interstage sweep`. The options and exit codes of the command are defined in the
command-line package.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...programs.progress import progress_display
from ...scenario import Scenario
from ...tree.bare_angles import states_si
from ...tree.errors import BadInput
from ...tree.toml_file import read_text
from ..bare_amounts import warnings
from ..presentation.files import save
from ..presentation.terminal import Printout, print_file_names
from ..study_file import in_study
from ..study_warnings import print_warnings
from .declared import Study, read_study, responses_of, variations_of
from .result import Sweep
from .table import check_file

UNSAVED = "The cases were not saved. To save all cases, add -o sweep.csv."
HOW_TO_VARY = 'Set --vary PATH=LEVELS, for example --vary bodies.payload.mass="900 kg:1100 kg:5"'


@dataclass
class Asked:
    """Arguments of the command.

    - file: path of a study file or a scenario file.
    - vary: texts of the varied inputs.
    - responses: texts of the responses.
    - most: largest allowed number of cases.
    - units: units of printed texts, "SI" or "US".
    - file_name: path of the scenario file for notes.
    """

    file: Path
    vary: list[str]
    design: Any
    responses: list[str]
    most: int | None
    threads: int
    units: str | None = None
    file_name: str = field(default="", init=False)


def fly(asked: Asked, scenario_of: Callable[[Path], Scenario], output: Path | None) -> Sweep:
    """Run the sweep and return its results. Raises BadInput with all problems before any flight.

    scenario_of: function that reads a scenario from its path. output: path of the file with the cases, or
    None; only its suffix is checked.
    """
    if output is not None:
        check_file(output)
    if asked.most is not None and asked.most < 1:
        raise BadInput(f"--most: {asked.most} is below 1. Give a whole number of at least 1")
    found = read_study(asked.file, scenario_of)
    study, lines = found if found else (None, {})
    scenario_file = asked.file if study is None else asked.file.parent / study.scenario
    if study is None and not asked.vary:
        raise BadInput(f"the varied inputs are missing. {HOW_TO_VARY}, or give a study file")
    asked.file_name = str(scenario_file)
    scenario = scenario_of(scenario_file)
    with in_study(asked.file, lines):
        words = _join(study, asked)
        in_si = study is not None and states_si(read_text(asked.file))
        in_question = words["vary"][len(study.variations) if in_si and study else 0 :]
        print_warnings(scenario, asked.units, warnings(scenario, in_question))
        return _flown(scenario, words, asked)


def _join(study: Study | None, asked: Asked) -> dict[str, Any]:
    """Variations, design and responses of the study and of the command line, which has priority."""
    given = variations_of(asked.vary) if asked.vary else ()
    wanted = responses_of(asked.responses)
    if study is None:
        return {"vary": given, "design": asked.design, "responses": wanted}
    return {
        "vary": (*study.variations, *given),
        "design": asked.design or study.design,
        "responses": (*study.responses, *wanted),
    }


def _flown(scenario: Scenario, words: dict[str, Any], asked: Asked) -> Sweep:
    from .run import MOST_CASES, TooMany, sweep

    most = asked.most if asked.most is not None else MOST_CASES
    for last in (False, True):
        try:
            with progress_display(unit="cases") as progress:
                return sweep(scenario, **words, most=most, threads=asked.threads, progress=progress)
        except TooMany as error:
            if last or asked.most is not None or not _confirm_count(error.count):
                raise
            most = error.count
    raise AssertionError("unreachable")


def _confirm_count(count: int) -> bool:
    """Whether the user at a terminal confirms the number of cases."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    import typer

    return typer.confirm(f"Fly {count} cases?", err=True)


def deliver(
    found: Sweep, file_name: str, output: Path | None, report: Path | None, units: str | None
) -> None:
    """Save the cases of a sweep, print the tables and write the HTML report.

    - file_name: path of the scenario file for notes.
    - output, report: paths of the file with the cases and of the report, or None.
    - units: "SI" or "US". None: the units of the scenario.
    """
    units = units or found.scenario.units
    save(output, lambda path: found.save(path, units), "the sweep")
    from .printed import notes, tables

    shown = tables(found, units)
    Printout(shown, notes(found, file_name), verdict=found.summary, good=found.passed).show()
    if report is not None:
        found.report(report, units)
    print_file_names([output, report], UNSAVED)

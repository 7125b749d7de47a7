"""Actions of the command `interstage campaign`. The options and exit codes of the command are defined in the
command-line package.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...programs.progress import progress_display
from ...scenario import Scenario
from ...tree.errors import BadInput, Problem, print_error
from ..presentation.terminal import Printout, print_file_names
from ..study_warnings import print_warnings
from .chunk_file import require_pyarrow
from .columns import Columns, join_parts, names_of
from .devices import CPU, PLATFORMS
from .first_flight import first_flight
from .flight import CaseFlights
from .manifest import continue_manifest, manifest_of, read_manifest
from .object_store import local_results, print_warning, shown_folder
from .one_case import difference_table, fly_alone, save_alone
from .plan import Plan
from .printed import WORST, notes, tables
from .rare.command import show_rare as show_rare
from .reading import open_campaign
from .result import CampaignResult, open_folder
from .run import campaign, responses_of
from .wrong_folders import ENDING, FLIGHTS

OF_SAVED = ("show", "compare")
"""Words that the user can write instead of a study file, for saved results."""


@dataclass(frozen=True)
class Asked:
    """Arguments of the command `interstage campaign`."""

    study: Path
    folder: Path | None
    cases: int | None
    jobs: int | None
    part: str | None
    case: int | None
    worst: int | None
    units: str | None
    chunk_timeout: str | None = None
    dask: str | None = None
    device: str | None = None

    @property
    def target(self) -> Path:
        """Return the folder for the results. Default: a folder next to the study file."""
        return self.folder or self.study.with_suffix(ENDING)

    def check_counts(self) -> None:
        """Check that numbers of cases and processes are positive. Raises BadInput."""
        for name, value in (("--cases", self.cases), ("--jobs", self.jobs), ("--worst", self.worst)):
            if value is not None and value < 1:
                raise BadInput(Problem(name, f"{value} is below 1. Give a whole number of at least 1"))


def fly(asked: Asked, scenario_of: Callable[[Path], Scenario]) -> CampaignResult:
    """Run the cases of a campaign that have no results yet, and return all results.

    scenario_of: function that reads a scenario from its path. Raises BadInput with all problems before the
    first flight.
    """
    os.environ.setdefault(PLATFORMS, CPU)  # GPUs belong to the processes of the campaign, not to this one
    plan = read_plan(asked, scenario_of)
    print_warnings(plan.scenario, asked.units, plan.warnings)
    with progress_display(unit="cases") as progress:
        return campaign(
            plan.scenario,
            plan.campaign,
            asked.target,
            jobs=asked.jobs,
            part=asked.part,
            chunk_timeout=asked.chunk_timeout,
            dask=asked.dask,
            device=asked.device,
            study_folder=asked.study.parent,
            progress=progress if progress is not None else False,
            notice=print_warning,
        )


def read_plan(asked: Asked, scenario_of: Callable[[Path], Scenario]) -> Plan:
    """Read and check the study and its scenario, and return the plan of the campaign.

    scenario_of: function that reads a scenario from its path. Raises BadInput with all problems.
    """
    asked.check_counts()
    return open_campaign(asked.study, scenario_of, asked.cases).plan


def known(asked: Asked, scenario_of: Callable[[Path], Scenario]) -> CampaignResult:
    """Return the existing results of a study without running a case.

    scenario_of: function that reads a scenario from its path. Raises BadInput if the folder has results of
    another campaign.
    """
    plan = read_plan(asked, scenario_of)
    with local_results(asked.target) as results:
        folder = results.folder
    old = read_manifest(folder) if folder.is_dir() else None
    responses = responses_of(plan)
    first = first_flight(plan, responses) if old is None else old.first
    names = names_of(plan, responses, first.envelopes)
    manifest = manifest_of(plan, names, first.settings, asked.study.parent)
    if old is None:
        return CampaignResult(manifest, _no_cases(manifest), plan=plan)
    require_pyarrow()
    found = open_folder(folder, continue_manifest(old, manifest, False), print_error)
    found.plan = plan
    return found


def _no_cases(manifest: Any) -> Columns:
    return join_parts([], manifest.names)


def show_cases(result: CampaignResult, cases: list[int], folder: Path, units: str | None) -> bool:
    """Rerun single cases, save their flights, and print the differences from the campaign results. Return
    whether all cases could be run.

    - cases: case numbers.
    - folder: folder of the campaign results.
    - units: "SI" or "US". None: the units of the scenario.
    """
    from ...report.console import make_console, show_tables
    from ...report.summary import show
    from ...report.summary import tables as flight_tables

    plan = result.draws_plan
    flights = CaseFlights(plan, responses_of(plan), *result.manifest.first)
    console, all_flown = make_console(), True
    for case in cases:
        one = fly_alone(result, flights, case)
        with local_results(folder) as results:
            paths = save_alone(one, results.folder / FLIGHTS, units)
        if one.flight is not None:
            show(console, flight_tables(one.flight.record, units), one.flight.record, units, None)
            show_tables(console, [difference_table(one, units or result.scenario.units)])
        else:
            all_flown = False
            print(f"Case {case} was not flown: {one.reason}")
        print(one.sentence)
        print_file_names(paths)
    return all_flown


def worst_of(result: CampaignResult, count: int) -> list[int]:
    """Return the case numbers of the worst cases, the worst first.

    count: how many cases are returned. Raises BadInput if the folder has no cases.
    """
    if not len(result):
        raise BadInput(Problem("--worst", "the folder has no cases yet. Run the campaign first"))
    return result.worst(count).tolist()


def refuse_without_effect(word: str, of_flights: Mapping[str, Any], worst: int | None) -> None:
    """Reject options that have no effect on saved results. Raises BadInput.

    - word: "show" or "compare".
    - of_flights: values of the options that concern flights, by option name.
    """
    given = [name for name, value in of_flights.items() if value not in (None, [])]
    given += ["--worst"] if word == "compare" and worst is not None else []
    if given:
        raise BadInput(
            [
                Problem(name, f"this option has no effect with the word {word}. Remove the option")
                for name in given
            ]
        )


def refuse_with_rare(others: Mapping[str, Any]) -> None:
    """Reject options that have no effect together with --rare. Raises BadInput.

    others: values of the other options by name; None if the user did not set an option.
    """
    given = [name for name, value in others.items() if value is not None]
    if given:
        raise BadInput(
            [
                Problem(name, f"{name} has no effect with --rare. Remove one of these options")
                for name in given
            ]
        )


def refuse_more(
    folders: list[Path], report: Path | None, case: int | None, worst: int | None, derivatives: bool = False
) -> None:
    """Reject arguments that have no effect when a study is run. Raises BadInput."""
    if folders:
        raise BadInput(
            f"the argument '{folders[0]}' is not allowed after a study. "
            f"To save the results in the folder '{folders[0]}', write -o {folders[0]}."
        )
    option = "--case" if case is not None else "--worst"
    if derivatives and (case is not None or worst is not None):
        raise BadInput(
            Problem(
                "--derivatives",
                f"--derivatives applies to the whole campaign. Remove --derivatives, or remove {option}",
            )
        )
    if report is not None and (case is not None or worst is not None):
        raise BadInput(
            Problem(
                "--report",
                f"the report shows the whole campaign, not single cases. Remove --report or {option}",
            )
        )


def show(
    folders: list[Path],
    units: str | None,
    worst: int | None,
    report: Path | None,
    derivatives: bool = False,
) -> CampaignResult:
    """Print the results in a folder and return them. Raises BadInput unless `folders` has exactly one
    folder.

    - worst: how many of the worst cases are listed.
    - report: path of an HTML report to write, or None.
    - derivatives: whether statistics by derivatives are computed if they are missing.
    """
    if len(folders) != 1:
        text = "the folder of the saved results is missing" if not folders else "only one folder can be shown"
        raise BadInput(f"{text}. Write interstage campaign show FOLDER.")
    found = CampaignResult.load(folders[0])
    deliver(found, folders[0], units, worst, report, derivatives)
    return found


def compare(folders: list[Path], units: str | None, report: Path | None) -> None:
    """Compare the common cases of two campaigns and print the result. Raises BadInput unless there are two
    folders.

    report: path of an HTML report to write, or None.
    """
    from .comparison_page import tables as comparison_tables

    if len(folders) != 2:
        text = f"a comparison needs two folders of saved results, not {len(folders)}"
        raise BadInput(f"{text}. Write interstage campaign compare A B.")
    first, second = map(CampaignResult.load, folders)
    found = first.compare(second)
    units = units or first.scenario.units
    print(f"A: {shown_folder(folders[0])}\nB: {shown_folder(folders[1])}\n")
    Printout(comparison_tables(found, units), found.notes, found.sentences(units)).show()
    if report is not None:
        print_file_names([found.report(report, units)])


def deliver(
    result: CampaignResult,
    folder: Path,
    units: str | None,
    worst: int | None = None,
    report: Path | None = None,
    derivatives: bool = False,
) -> None:
    """Print the tables and notes of a campaign. If `report` is a path, write the HTML report.

    - folder: folder of the results, for a message.
    - worst: how many of the worst cases are listed.
    - derivatives: whether first-order statistics are computed if the folder does not have them.

    Raises BadInput.
    """
    if derivatives and not result.interrupted:
        try:
            with local_results(folder):
                result.first_order()
        except BadInput as error:
            print_error(f"Warning: there are no statistics by derivatives. {error.problems[0]}")
    shown = tables(result, units or result.scenario.units, worst or WORST)
    Printout(shown, notes(result), verdict=result.summary, good=result.all_shown).show()
    name = shown_folder(folder)
    print(f"The cases are in {name}. To print the tables again, run: interstage campaign show {name}")
    if report is not None:
        print_file_names([result.report(report, units)])

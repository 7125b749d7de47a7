"""The command `interstage campaign`, without its options and exit codes."""

from __future__ import annotations

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
from .flight import CaseFlights, settings_of
from .manifest import continue_manifest, manifest_of, read_manifest
from .one_case import difference_table, fly_alone, save_alone
from .plan import Plan
from .printed import WORST, notes, tables
from .rare.command import show_rare as show_rare
from .reading import open_campaign
from .result import CampaignResult, open_folder
from .run import campaign, responses_of
from .wrong_folders import ENDING, FLIGHTS

OF_SAVED = ("show", "compare")
"""Words in place of a study, for saved results."""


@dataclass(frozen=True)
class Asked:
    """Arguments of the command."""

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

    @property
    def target(self) -> Path:
        """Return the folder of the results."""
        return self.folder or self.study.with_suffix(ENDING)


def fly(asked: Asked, scenario_of: Callable[[Path], Scenario]) -> CampaignResult:
    """Fly the missing cases of a campaign. Raises BadInput with all problems, before any flight."""
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
            study_folder=asked.study.parent,
            progress=progress if progress is not None else False,
            notice=lambda text: print_error(f"Warning: {text}"),
        )


def read_plan(asked: Asked, scenario_of: Callable[[Path], Scenario]) -> Plan:
    """The study with its scenario, all checked. Raises BadInput with all problems."""
    for name, value in (("--cases", asked.cases), ("--jobs", asked.jobs), ("--worst", asked.worst)):
        if value is not None and value < 1:
            raise BadInput(Problem(name, f"{value} is below 1. Give a whole number of at least 1"))
    return open_campaign(asked.study, scenario_of, asked.cases).plan


def known(asked: Asked, scenario_of: Callable[[Path], Scenario]) -> CampaignResult:
    """The results so far of a study, without a flight of the campaign. Raises BadInput if the folder holds
    another campaign."""
    plan = read_plan(asked, scenario_of)
    old = read_manifest(asked.target) if asked.target.is_dir() else None
    responses = responses_of(plan)
    settings = settings_of(plan, responses) if old is None else old.settings
    manifest = manifest_of(plan, names_of(plan, responses), settings, asked.study.parent)
    if old is None:
        return CampaignResult(manifest, _no_cases(manifest), plan=plan)
    require_pyarrow()
    found = open_folder(asked.target, continue_manifest(old, manifest, False), print_error)
    found.plan = plan
    return found


def _no_cases(manifest: Any) -> Columns:
    return join_parts([], manifest.names)


def show_cases(result: CampaignResult, cases: list[int], folder: Path, units: str | None) -> bool:
    """Fly cases alone, save their flights, and print the differences; states whether all were flown."""
    from ...report.console import make_console, show_tables
    from ...report.summary import show
    from ...report.summary import tables as flight_tables

    plan = result.draws_plan
    flights = CaseFlights(plan, responses_of(plan), result.manifest.settings)
    console, all_flown = make_console(), True
    for case in cases:
        one = fly_alone(result, flights, case)
        paths = save_alone(one, folder / FLIGHTS, units)
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
    """Return the numbers of the worst cases, the worst first. Raises BadInput if no case was flown."""
    if not len(result):
        raise BadInput(Problem("--worst", "the folder has no cases yet. Run the campaign first"))
    return result.worst(count).tolist()


def refuse_without_effect(word: str, of_flights: Mapping[str, Any], worst: int | None) -> None:
    """Reject options that have no effect on saved results. Raises BadInput."""
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
    """Refuse options that have no effect on the probability of a rare violation. Raises BadInput."""
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
    """Refuse arguments that have no effect with a study. Raises BadInput."""
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
    """Print the results in a folder, and write the report if there is a file for it. Raises BadInput."""
    if len(folders) != 1:
        text = "the folder of the saved results is missing" if not folders else "only one folder can be shown"
        raise BadInput(f"{text}. Write interstage campaign show FOLDER.")
    found = CampaignResult.load(folders[0])
    deliver(found, folders[0], units, worst, report, derivatives)
    return found


def compare(folders: list[Path], units: str | None, report: Path | None) -> None:
    """Print the comparison of the same cases in two folders, and write the report if there is a file for it.
    Raises BadInput."""
    from .comparison_page import tables as comparison_tables

    if len(folders) != 2:
        text = f"a comparison needs two folders of saved results, not {len(folders)}"
        raise BadInput(f"{text}. Write interstage campaign compare A B.")
    first, second = map(CampaignResult.load, folders)
    found = first.compare(second)
    units = units or first.scenario.units
    print(f"A: {folders[0]}\nB: {folders[1]}\n")
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
    """Print the tables and notes of a campaign, and write the report if there is a file for it.

    derivatives: compute first-order statistics too, if the folder does not have them. Raises BadInput."""
    if derivatives and not result.interrupted:
        try:
            result.first_order()
        except BadInput as error:
            print_error(f"Warning: there are no statistics by derivatives. {error.problems[0]}")
    shown = tables(result, units or result.scenario.units, worst or WORST)
    Printout(shown, notes(result), verdict=result.summary, good=result.all_shown).show()
    print(f"The cases are in {folder}. To print the tables again, run: interstage campaign show {folder}")
    if report is not None:
        print_file_names([result.report(report, units)])

"""Playback of cases of a campaign in one picture: the worst case is solid, and the other cases are
translucent."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...record.results import Flight, open_flight
from ...tree.errors import BadInput, Problem, whole_number
from ...tree.saving import save_file, writing
from ...tree.sentences import count_text
from .columns import BROKEN, COMPLETED, VERDICT
from .object_store import local_results
from .wrong_folders import FLIGHTS

if TYPE_CHECKING:
    from ...playback.others import OtherFlights
    from .result import CampaignResult

MOST = 200
"""Largest number of cases in one page."""
WORST = 10
"""Number of the worst cases in the page if no cases are selected."""


def numbers_of(texts: Iterable[str]) -> list[int]:
    """Return case numbers from texts such as "5,17,173". Raises BadInput for texts that are not numbers."""
    words = [word.strip() for text in texts for word in text.split(",") if word.strip()]
    numbers = [whole_number(word) for word in words]
    wrong = [word for word, number in zip(words, numbers, strict=True) if number is None or number < 0]
    if wrong or not words:
        text = f"'{wrong[0]}' is not a case number" if wrong else "there is no case number"
        raise BadInput(Problem("--cases", f"{text}. Write numbers from 0 with commas, such as 5,17,173"))
    return list(dict.fromkeys(number for number in numbers if number is not None))


def verdict_of(result: CampaignResult, case: int) -> str:
    """Return the verdict of a case: "violated" if a requirement is not met, "unknown" if a requirement has no
    verdict, otherwise "met". The verdict of a campaign without requirements is "unknown"."""
    row, names = result.row(case), result.manifest.names.requirements
    found = [result.columns[VERDICT + name][row] for name in names]
    if any(one == BROKEN for one in found):
        return "violated"
    ended = result.outcomes[row] != COMPLETED
    return "unknown" if ended or not found or any(one != 1 for one in found) else "met"


def worst_first(result: CampaignResult, cases: Iterable[int]) -> list[int]:
    """Return the case numbers in the order of the campaign, the worst case first. Raises BadInput for a case
    without results, and for too many cases."""
    place = {int(result.case_numbers[row]): k for k, row in enumerate(result.order)}
    wanted = list(dict.fromkeys(cases))
    for case in wanted:
        result.row(case)
    if len(wanted) > MOST:
        text = f"{len(wanted)} cases are more than the {MOST} cases of one page. Select fewer cases"
        raise BadInput(Problem("--cases", text))
    return sorted(wanted, key=place.__getitem__)


def overlay_of_cases(
    result: CampaignResult,
    cases: Iterable[int],
    event: str | None = None,
    body: str = "",
    notice: Callable[[str], None] | None = None,
) -> tuple[Flight, OtherFlights]:
    """Return the flight of the worst case, and the flights of the other cases for the same page.

    Flights are read from the folder of the campaign. A missing flight is flown, and saved if the campaign has
    a folder. Cases that cannot start are listed as omitted.

    - cases: case numbers, in any order.
    - event: event at which the times are aligned, see `playback.alignment.align`.
    - body: body whose axes are the camera frame. Default: the reference body of the page.
    - notice: function that prints a line for each flown case.

    Raises BadInput for an unknown case or body, and if no case can start."""
    from ...playback.others import OtherFlight, OtherFlights

    flights: dict[int, Flight] = {}
    omitted: list[str] = []
    for case in worst_first(result, cases):
        try:
            flights[case] = flight_of(result, case, notice or (lambda _: None))
            flights[case].read_to_show()
        except BadInput as error:
            omitted.append(f"case {case}, because {'; '.join(map(str, error.problems))}")
    if not flights:
        raise BadInput([Problem("", text) for text in ("no case can be shown", *omitted)])
    (worst, flight), *rest = flights.items()
    bodies = [one.name for one in flight.record.scenario.bodies]
    if body and body not in bodies:
        raise BadInput(Problem("--relative-to", f"there is no body '{body}'; known: {', '.join(bodies)}"))
    others = tuple(OtherFlight(one.record, f"case {case}", verdict_of(result, case)) for case, one in rest)
    found = OtherFlights(
        others, f"case {worst}", verdict_of(result, worst), event, "cases", body, tuple(omitted)
    )
    return flight, found


def flight_of(result: CampaignResult, case: int, notice: Callable[[str], None]) -> Flight:
    """Return the flight of one case: the saved flight if it is of the same scenario, otherwise a new flight.

    Raises BadInput if the case cannot start."""
    scenario = result.scenario_of(case)
    if result.folder is None:
        return result.fly(case)
    path = result.folder / FLIGHTS / f"case-{case}.nc"
    if path.is_file():
        saved = open_flight(path)
        if saved.scenario_text == scenario.to_toml():
            return saved
        notice(f"Case {case}: the saved flight is of another scenario. The case is flown again.")
    flight = scenario.run()
    notice(f"Case {case} was flown: {flight.outcome}")
    with writing(path.parent, "Choose another folder"):
        path.parent.mkdir(parents=True, exist_ok=True)
    save_file(path, flight.save, "the flight", flight.save_numbers)
    return flight


def show(
    folder: Path,
    cases: Iterable[str],
    worst: int | None,
    event: str | None,
    body: str,
    output: Path,
    units: str | None,
    notice: Callable[[str], None],
) -> str:
    """Write the page of cases of a campaign, and return a sentence with its contents.

    - folder: folder of the campaign results.
    - cases: case numbers as texts. worst: number of the worst cases. Default: the 10 worst cases.
    - event, body, notice: see `overlay_of_cases`.
    - output: path of the page. units: "SI" or "US". Default: the units of the scenario.

    Raises BadInput."""
    from ...playback.page import write
    from .result import CampaignResult

    with local_results(folder):
        result = CampaignResult.load(folder)
        if not len(result):
            raise BadInput("The folder has no cases yet. Run the campaign first.")
        chosen = [*cases]
        numbers = numbers_of(chosen) if chosen else result.worst(worst or WORST).tolist()
        flight, others = overlay_of_cases(result, numbers, event, body, notice)
    write(flight, output, units, others)
    verdicts = np.array([others.verdict, *(one.verdict for one in others.flights)])
    violated = int(np.sum(verdicts == "violated"))
    shown = f"{count_text(len(verdicts), 'cases')}, {violated} of them violate a requirement"
    return f"The page has {shown}; {others.first} is solid."

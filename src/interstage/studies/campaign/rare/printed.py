"""Create tables of the probabilities of rare violations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ....drawing.table import Table, label_text, number
from ....tree.units import display
from ..columns import Input
from .result import RareResult

if TYPE_CHECKING:
    from ..result import CampaignResult

MOST_INPUTS = 12
DIGITS = 5


def rare_tables(result: CampaignResult, units: str) -> Iterator[Table]:
    """Yield tables for all requirements with computed probabilities of rare violations in the folder of a
    campaign. units: "SI" or "US".
    """
    for one in result.rare_results:
        yield from tables_of(one, result.manifest.names.inputs, units)


def tables_of(found: RareResult, inputs: tuple[Input, ...], units: str) -> Iterator[Table]:
    """Yield a table with the probability from each method, and a table of the most likely failure.

    inputs: random inputs of the campaign, for their units. units: "SI" or "US".
    """
    rows = []
    for event in found.events:
        low, high = event.interval
        rows.append(
            [
                event.method,
                f"{event.probability:.3g}",
                f"{low:.3g} to {high:.3g}",
                f"{event.variation:.2g}",
                str(event.evaluations),
            ]
        )
    sure = f"{100 * found.events[0].confidence:.10g} %"
    columns = ["method", "probability", f"interval, {sure}", "coefficient of variation", "flights"]
    right = [False, True, True, True, True]
    bad = set() if found.good else {0, 1}
    title = f"Probability that {found.requirement} is violated"
    yield Table(title, columns, rows, right, "\n".join(found.sentences), bad, f"rare {found.requirement}")
    if found.nearest is not None:
        yield _likely_table(found, inputs, units)


def _likely_table(found: RareResult, inputs: tuple[Input, ...], units: str) -> Table:
    nearest = found.nearest
    assert nearest is not None
    rows = []
    for one in [one for one in inputs if one.name in nearest.inputs][:MOST_INPUTS]:
        factor, unit = display(one.unit, units)
        value, nominal = (number(each * factor, DIGITS) for each in (nearest.inputs[one.name], one.nominal))
        rows.append([label_text(one.name, unit), value, nominal])
    note = (
        "The most likely failure is the failed case nearest to the medians of all inputs. The distance is"
        f" {nearest.distance:.3g} standard deviations."
    )
    more = len(nearest.inputs) - len(rows)
    note += f" The table omits {more} inputs." if more > 0 else ""
    title = f"Most probable point of violation of {found.requirement}"
    columns = ["input", "value at failure", "value in the scenario"]
    return Table(title, columns, rows, [False, True, True], note, key=f"likely {found.requirement}")

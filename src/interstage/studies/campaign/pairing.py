"""The cases of two campaigns in pairs: whether they have the same draws, and which cases both have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...maths.ranking import SAME
from ...tree.errors import BadInput, Problem
from ...tree.toml_file import plain
from .columns import INPUT, Input
from .dispersion import OF_DISTRIBUTIONS, Dispersion
from .manifest import Manifest, differences, shown_text

if TYPE_CHECKING:
    from .result import CampaignResult

STREAMS = ("seed", "design", "block", "loops", "correlations")
"""Keys of a study on which all draws depend."""
OF_VALUES = {
    "distribution": ("distribution", *OF_DISTRIBUTIONS),
    "values": ("values",),
    "choose": ("value",),
    "file": (),
    "formula": ("formula", "mean"),
}
"""Keys of a dispersion that change its values but not its draws, by the way to draw."""
SPREADS_OF_LOTS = ("sigma", "three_sigma", "delta", "bounds", "coverage")
"""Keys on which the common part of a lot depends, if it has a lot_sigma."""
MOST_PROBLEMS = 10
SAME_DRAWS = "Compare campaigns with the same draws"


def paired_rows(first: CampaignResult, second: CampaignResult) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the cases that both campaigns A and B have. Raises BadInput if they have other draws, or no
    common case."""
    problems = [*_study_problems(first.manifest, second.manifest)]
    if not problems:
        problems = [*_input_problems(first.manifest, second.manifest)]
    rows = np.intersect1d(first.case_numbers, second.case_numbers, return_indices=True)[1:]
    if not problems and not len(rows[0]):
        problems = [
            Problem("cases", "the campaigns have no common case. Run the same cases in both campaigns")
        ]
    if not problems:
        problems = [*_draw_problems(first, second, rows)]
    if problems:
        raise BadInput(problems[:MOST_PROBLEMS])
    return rows


def _differs(place: str, one: Any, other: Any, fix: str = "") -> Problem:
    return Problem(
        place, f"the value is {shown_text(one)} in A, but {shown_text(other)} in B. {fix or SAME_DRAWS}"
    )


def _study_problems(first: Manifest, second: Manifest) -> Iterator[Problem]:
    """Differences of the studies that change the draws."""
    one, other = (manifest.identity["study"] for manifest in (first, second))
    for key in STREAMS:
        for path, a, b in differences(one.get(key), other.get(key), key):
            yield _differs(path, a, b)
    named = [{each.name: each for each in m.campaign.dispersions} for m in (first, second)]
    for name in {**named[0], **named[1]}:
        pair = [some.get(name) for some in named]
        if pair[0] is None or pair[1] is None:
            where = "B" if pair[0] is None else "A"
            yield Problem(f"dispersions.{name}", f"only {where} has this dispersion. {SAME_DRAWS}")
        else:
            yield from _dispersion_problems(pair[0], pair[1])
            yield from _file_problems(pair[0].place, pair[0].file, pair[1].file, first, second)
    if first.campaign.design == "sobol" and [*named[0]] != [*named[1]]:
        yield _differs(
            "dispersions",
            ", ".join(named[0]),
            ", ".join(named[1]),
            "Sobol points depend on the order of the dispersions. Use the same order",
        )
    for a, b in zip(first.campaign.correlations, second.campaign.correlations, strict=False):
        yield from _file_problems(a.place, a.file, b.file, first, second)


def _dispersion_problems(one: Dispersion, other: Dispersion) -> Iterator[Problem]:
    """Differences of a dispersion that change its draws."""
    if one.way != other.way:
        yield _differs(one.place, one.way, other.way)
        return
    free = {*OF_VALUES[one.way]}
    if one.lot_sigma is not None or other.lot_sigma is not None:
        free -= {*SPREADS_OF_LOTS}
    if one.way == "values" and len(one.values or ()) != len(other.values or ()):
        free.discard("values")
    for key, a, b in differences(plain(one), plain(other)):
        if key.partition(".")[0].partition("[")[0] not in free:
            yield _differs(f"{one.place}.{key}", a, b)


def _file_problems(
    place: str, one: str | None, other: str | None, first: Manifest, second: Manifest
) -> Iterator[Problem]:
    if one and other and first.files.get(one) != second.files.get(other):
        yield Problem(f"{place}.file", f"the contents of {one} differ between A and B. {SAME_DRAWS}")


def _input_problems(first: Manifest, second: Manifest) -> Iterator[Problem]:
    """Inputs that are dispersed in one campaign only, because a path names others in its scenario."""
    one, other = ({(i.dispersion, i.path): i for i in m.names.inputs} for m in (first, second))
    for key in {**one, **other}:
        if (key in one) != (key in other):
            dispersion, path = key
            where = "A" if key in one else "B"
            yield Problem(f"dispersions.{dispersion}", f"{path} is dispersed in {where} only. {SAME_DRAWS}")


def _draw_problems(
    first: CampaignResult, second: CampaignResult, rows: tuple[np.ndarray, np.ndarray]
) -> Iterator[Problem]:
    """Draws of common cases that differ nevertheless.

    Unchanged dispersions have the same values. Changed distributions have the same order of values, because
    they are increasing functions of the same draw."""
    weights = [result.weights[some] for result, some in zip((first, second), rows, strict=True)]
    if not np.allclose(*weights, rtol=SAME, atol=0.0):
        yield Problem(
            "weights",
            "the weights of the same cases differ between A and B. Use the same importance sampling in both",
        )
    own = {one.name: one for one in first.manifest.campaign.dispersions}
    others = {one.name: one for one in second.manifest.campaign.dispersions}
    by_key: Mapping[Any, Input] = {(i.dispersion, i.path, _index(i)): i for i in second.manifest.names.inputs}
    for one in first.manifest.names.inputs:
        other = by_key.get((one.dispersion, one.path, _index(one)))
        declared = own[one.dispersion]
        if other is None or declared.way == "formula":
            continue
        values = first.columns[INPUT + one.name][rows[0]], second.columns[INPUT + other.name][rows[1]]
        unchanged = declared == others[one.dispersion] and one.nominal == other.nominal
        wrong = _other_values(*values) if unchanged else _other_order(*values, declared)
        if wrong.any():
            row = int(np.argmax(wrong))
            case = int(first.case_numbers[rows[0][row]])
            a, b = (f"{float(some[row]):.6g}" for some in values)
            yield Problem(
                f"dispersions.{one.dispersion}",
                f"the draws of case {case} differ: {a} in A, {b} in B (SI). {SAME_DRAWS}",
            )


def _index(one: Input) -> str:
    """Index of an element of an array, as the end of its name."""
    return one.name.partition("[")[2]


def _other_values(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    return ~np.isclose(one, other, rtol=SAME, atol=0.0, equal_nan=True)


def _other_order(one: np.ndarray, other: np.ndarray, declared: Dispersion) -> np.ndarray:
    """Cases whose value is out of the order of the other campaign, for continuous distributions."""
    wrong = np.zeros(len(one), bool)
    known = np.isfinite(one) & np.isfinite(other)
    if declared.way != "distribution" or not known.any():
        return wrong
    order = np.flatnonzero(known)[np.argsort(one[known], kind="stable")]
    falls = np.diff(other[order]) < -SAME * np.abs(other[order]).max()
    rises = np.diff(one[order]) > SAME * np.abs(one[order]).max()
    wrong[order[1:]] = falls & rises
    return wrong

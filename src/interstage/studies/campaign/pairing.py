"""Pair the cases of two campaigns: find the common cases, and the dispersions with the same draws.

A draw depends on the seed, the name of the dispersion, the path of the input and the case number. An input
with the same dispersion in both campaigns therefore has the same draws. Other dispersions do not affect these
draws.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...maths.ranking import SAME
from ...tree.errors import BadInput, Problem
from ...tree.toml_file import plain
from .columns import INPUT, Input
from .declared import Campaign
from .dispersion import OF_DISTRIBUTIONS, Dispersion, Kind
from .manifest import Manifest, differences, shown_text

if TYPE_CHECKING:
    from .result import CampaignResult

OF_VALUES = {
    "distribution": ("path", "distribution", *OF_DISTRIBUTIONS),
    "values": ("path", "values"),
    "choose": ("path", "value"),
    "file": (),
    "formula": ("path", "formula", "mean"),
}
"""Keys of a dispersion that change its values or its inputs but not its draws, by type of the dispersion."""
SPREADS_OF_LOTS = ("sigma", "three_sigma", "delta", "bounds", "coverage")
"""Keys that affect the common draws of a production lot with a `lot_sigma`."""
MOST_REASONS = 4
BOTH = "A and B"


class Unpaired(NamedTuple):
    """Dispersion, or one of its inputs, with different draws in campaigns A and B.

    - name: name of the dispersion, with the path of the input if the dispersion has several inputs.
    - where: campaigns that have the dispersion: "A", "B" or "A and B".
    - reason: why the draws differ; "" if only one campaign has the dispersion.
    """

    name: str
    where: str
    reason: str = ""


class Pairing(NamedTuple):
    """Pairs of cases in two campaigns A and B.

    - rows, others: row indices of the common cases in the results of A and of B.
    - same: names of the dispersions with the same draws.
    - unpaired: dispersions and inputs with different draws.
    """

    rows: np.ndarray
    others: np.ndarray
    same: tuple[str, ...]
    unpaired: tuple[Unpaired, ...]


def pair_cases(first: CampaignResult, second: CampaignResult) -> Pairing:
    """Pair the common cases of two campaigns A and B.

    Raises BadInput if the campaigns have different weights, no common case, or no dispersion with the same
    draws.
    """
    rows, others = np.intersect1d(first.case_numbers, second.case_numbers, return_indices=True)[1:]
    if not len(rows):
        raise BadInput(
            Problem("cases", "the campaigns have no case in common. Run the same cases in both campaigns")
        )
    pairs = _Pairs(first, second, rows, others)
    same, unpaired = pairs.dispersions()
    if not same:
        raise BadInput(_nothing_pairs(first.manifest, second.manifest, unpaired))
    if not np.allclose(first.weights[rows], second.weights[others], rtol=SAME, atol=0.0):
        text = "A and B have different weights of importance sampling, so that their cases are not pairs"
        raise BadInput(Problem("importance", f"{text}. Set the same 'importance' in both campaigns"))
    return Pairing(rows, others, tuple(same), tuple(unpaired))


def _nothing_pairs(first: Manifest, second: Manifest, unpaired: Sequence[Unpaired]) -> str:
    """One message with the reasons why no dispersion has the same draws."""
    kinds: dict[Kind, None] = {one.kind: None for one in first.campaign.dispersions}
    reasons = dict.fromkeys(
        reason for kind in kinds for reason in _method_reasons(first.campaign, second.campaign, kind)
    )
    listed = [*reasons] or [f"{one.name}: {one.reason or f'in {one.where} only'}" for one in unpaired]
    text = "A and B have no draws in common, so that their cases are not pairs"
    fix = "Use the same seed and design" if reasons else "Use the same dispersions"
    return f"{text} ({_reason_list(listed)}). {fix} in both campaigns"


def _reason_list(reasons: Sequence[str]) -> str:
    """The first reasons, and the number of the others."""
    more = len(reasons) - MOST_REASONS
    return "; ".join([*reasons[:MOST_REASONS], *[f"{more} more"] * (more > 0)])


def unpaired_sentences(unpaired: Sequence[Unpaired]) -> Iterator[str]:
    """Yield sentences about the dispersions with different draws in A and B."""
    for where in ("A", "B"):
        if names := [one.name for one in unpaired if one.where == where]:
            verb, effect = ("are", "their effects") if len(names) > 1 else ("is", "its effect")
            text = f"{', '.join(names)} {verb} dispersed in {where} only"
            yield f"{text}. The differences between A and B include {effect}."
    for one in unpaired:
        if one.where == BOTH:
            text = f"The dispersion {one.name} has different draws in A and B: {one.reason}"
            yield f"{text}. The differences between A and B include the effect of these draws."


class _Pairs(NamedTuple):
    """Common cases of two campaigns by their rows."""

    first: CampaignResult
    second: CampaignResult
    rows: np.ndarray
    others: np.ndarray

    def dispersions(self) -> tuple[list[str], list[Unpaired]]:
        """Names of the dispersions with the same draws, and the dispersions and inputs with other draws."""
        own, theirs = ({one.name: one for one in r.manifest.campaign.dispersions} for r in self[:2])
        same: list[str] = []
        unpaired: list[Unpaired] = []
        for name in {**own, **theirs}:
            one, other = own.get(name), theirs.get(name)
            if one is None or other is None:
                unpaired.append(Unpaired(name, "B" if one is None else "A"))
            elif reasons := [*self._declared_reasons(one, other)] or [*self._drawn_reasons(one, other)]:
                unpaired.append(Unpaired(name, BOTH, _reason_list(reasons)))
            else:
                common, single = self._inputs(name)
                unpaired += single
                if common and one.way != "formula":
                    same.append(name)
        return same, unpaired

    def _inputs(self, dispersion: str) -> tuple[list[tuple[Input, Input]], list[Unpaired]]:
        """Inputs of a dispersion in A and B, and those that only one campaign has."""
        own, theirs = (
            {_key(one): one for one in result.manifest.names.inputs if one.dispersion == dispersion}
            for result in self[:2]
        )
        single = [
            Unpaired(f"{dispersion} ({path}{index})", "A" if (path, index) in own else "B")
            for path, index in {**own, **theirs}
            if ((path, index) in own) != ((path, index) in theirs)
        ]
        return [(own[key], theirs[key]) for key in own if key in theirs], single

    def _declared_reasons(self, one: Dispersion, other: Dispersion) -> Iterator[str]:
        """Differences of the studies by which a dispersion has other draws."""
        first, second = self.first.manifest, self.second.manifest
        yield from _method_reasons(first.campaign, second.campaign, one.kind)
        yield from _key_reasons(one, other)
        if one.file and other.file and first.files.get(one.file) != second.files.get(other.file):
            yield f"{one.file} has other contents in B"

    def _drawn_reasons(self, one: Dispersion, other: Dispersion) -> Iterator[str]:
        """Reason if the values of a dispersion that is declared alike have other draws."""
        if one.way == "formula":
            return
        for own, theirs in self._inputs(one.name)[0]:
            if case := self._other_draw(own, theirs, one, other):
                yield self._cause(one) or case
                return

    def _cause(self, one: Dispersion) -> str:
        """Reason for other draws of a dispersion that is declared alike, if the studies have one."""
        groups = [
            [
                (group, manifest.files.get(group.file or ""))
                for group in manifest.campaign.correlations
                if one.name in group.of or group.file
            ]
            for manifest in (self.first.manifest, self.second.manifest)
        ]
        if groups[0] != groups[1]:
            return "its correlations differ"
        if self.first.manifest.campaign.design == "sobol":
            return "Sobol points depend on the order of the dispersions"
        return ""

    def _other_draw(self, own: Input, theirs: Input, one: Dispersion, other: Dispersion) -> str:
        """The first case in which an input has another draw, in words; "" if there is none.

        Unchanged dispersions have the same values. Changed distributions have the same order of values,
        because they are increasing functions of the same draw."""
        values = (
            self.first.columns[INPUT + own.name][self.rows],
            self.second.columns[INPUT + theirs.name][self.others],
        )
        unchanged = _without_path(one) == _without_path(other) and own.nominal == theirs.nominal
        wrong = _other_values(*values) if unchanged else _other_order(*values, one)
        if not wrong.any():
            return ""
        row = int(np.argmax(wrong))
        a, b = (f"{float(some[row]):.6g}" for some in values)
        return f"case {int(self.first.case_numbers[self.rows[row]])} has {a} in A, {b} in B (SI)"


def _method_reasons(first: Campaign, second: Campaign, kind: Kind) -> Iterator[str]:
    """Differences of seed, design and loops that change all draws of a kind."""
    for (key, one), other in zip(_method(first, kind).items(), _method(second, kind).values(), strict=True):
        if one != other:
            yield f"{key}: {shown_text(one)} in A, {shown_text(other)} in B"


def _method(campaign: Campaign, kind: Kind) -> dict[str, Any]:
    """Values on which all draws of a kind depend."""
    block = campaign.block or campaign.draws_of(kind) if campaign.design == "latin_hypercube" else None
    loop = f"cases with one draw of the kind {kind}"
    return {
        "seed": campaign.seed,
        "design": campaign.design,
        "block": block,
        loop: campaign.per_loop(kind),
    }


def _key_reasons(one: Dispersion, other: Dispersion) -> Iterator[str]:
    """Differences of the declarations of a dispersion that change its draws."""
    if one.way != other.way:
        yield f"{one.way} in A, {other.way} in B"
        return
    free = {*OF_VALUES[one.way]}
    if one.lot_sigma is not None or other.lot_sigma is not None:
        free -= {*SPREADS_OF_LOTS}
    if one.way == "values" and len(one.values or ()) != len(other.values or ()):
        free.discard("values")
    for key, a, b in differences(plain(one), plain(other)):
        if key.partition(".")[0].partition("[")[0] not in free:
            yield f"{key}: {shown_text(a)} in A, {shown_text(b)} in B"


def _key(one: Input) -> tuple[str, str]:
    """Path of an input, or its name if only formulas use it, and the index of an element of an array as the
    end of its name."""
    name, bracket, index = one.name.partition("[")
    return one.path or name, bracket + index


def _without_path(one: Dispersion) -> Mapping[str, Any]:
    return {key: value for key, value in plain(one).items() if key != "path"}


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

"""Production lots and correlated groups. Lots and groups contain dispersions whose random scores depend on
each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...tree.errors import BadInput, Problem
from ...tree.sentences import count_text
from ...tree.similar_names import near
from .declared import Campaign, Correlation
from .dispersion import Dispersion
from .families import share_of
from .members import Prepared, amounts_of
from .row_file import read_matrix

SYMMETRY = 1e-9
"""Allowed asymmetry of a correlation matrix, and allowed error of its diagonal."""
LEAST_EIGENVALUE = 1e-10
"""Smallest allowed eigenvalue of a correlation matrix. A matrix with a smaller eigenvalue is rejected as
singular.
"""
CORRELATED = ("distribution", "values")
"""Types of dispersions that can be correlated."""


class LinkedRows(NamedTuple):
    """Random streams whose scores depend on each other.

    - streams: (dispersion name, label) of each stream.
    - matrix: correlation matrix; None for a production lot.
    - common (streams,): square root of the lot's share in the variance of each stream; None without a lot.
    - lot: name of the production lot, or empty.
    """

    streams: tuple[tuple[str, str], ...]
    matrix: np.ndarray | None
    common: np.ndarray | None = None
    lot: str = ""


def lots_of(found: Sequence[Prepared]) -> tuple[list[LinkedRows], list[Problem]]:
    """Return the production lots that the dispersions declare, and problems of these declarations."""
    lots: dict[str, list[Prepared]] = {}
    for one in found:
        if one.declared.lot is not None:
            lots.setdefault(one.declared.lot, []).append(one)
    linked, problems = [], []
    for name, members in lots.items():
        streams = [(one.name, label) for one in members for label in one.labels]
        place = f"{members[0].declared.place}.lot"
        kinds = {one.declared.kind for one in members}
        if len(streams) < 2:
            text = (
                f"lot '{name}' has one member only. Give several inputs by 'path' or by a pattern, or "
                "remove 'lot'"
            )
            problems.append(Problem(place, text))
        if len(kinds) > 1:
            text = (
                f"lot '{name}' has members of the kinds {' and '.join(sorted(kinds))}. Use one kind"
                " for all members"
            )
            problems.append(Problem(place, text))
        common = [
            share_of(one.declared, amounts_of(one.declared, m.target)) for one in members for m in one.members
        ]
        linked.append(LinkedRows(tuple(streams), None, np.sqrt(np.array(common)), name))
    return linked, problems


def correlations_of(
    campaign: Sequence[Correlation], found: Sequence[Prepared], names: Sequence[str], folder: Path
) -> tuple[list[LinkedRows], list[Problem]]:
    """Return the correlated groups and problems of their declarations.

    - campaign: declared correlations.
    - found: valid dispersions.
    - names: names of all dispersions, valid and invalid.
    - folder: folder of the files with correlation matrices.
    """
    by_name = {one.name: one for one in found}
    linked, problems = [], []
    seen: dict[str, str] = {}
    for group in campaign:
        try:
            of, matrix = _matrix(group, folder)
            problems += _name_problems(group, of, by_name, names, seen)
            problems += _matrix_problems(group, of, matrix)
            known = [by_name[name] for name in of if name in by_name]
            if len(known) == len(of):
                problems += _member_problems(group, known)
                linked += _by_member(known, matrix)
        except BadInput as error:
            problems += error.problems
    return linked, problems


def _matrix(group: Correlation, folder: Path) -> tuple[tuple[str, ...], np.ndarray]:
    if group.file is not None:
        return read_matrix(group, folder)
    size = len(group.of)
    if group.value is not None:
        return group.of, np.where(np.eye(size, dtype=bool), 1.0, group.value)
    rows = group.matrix or ()
    if any(len(row) != size for row in rows) or len(rows) != size:
        sizes = ", ".join(str(len(row)) for row in rows)
        text = f"the matrix has {count_text(len(rows), 'rows')} of {sizes} numbers for {size} dispersions"
        raise BadInput(Problem(f"{group.place}.matrix", f"{text}. Give {size} by {size} numbers"))
    return group.of, np.array(rows, float)


def _key(group: Correlation) -> str:
    return "file" if group.file is not None else "value" if group.value is not None else "matrix"


def _matrix_problems(group: Correlation, of: Sequence[str], matrix: np.ndarray) -> Iterator[Problem]:
    place = f"{group.place}.{_key(group)}"
    if matrix.shape != (len(of), len(of)):
        text = f"the matrix has {' by '.join(map(str, matrix.shape))} numbers for {len(of)} dispersions"
        yield Problem(place, f"{text}. Give {len(of)} by {len(of)} numbers")
        return
    if not np.isfinite(matrix).all() or (np.abs(matrix) > 1 + SYMMETRY).any():
        yield Problem(place, "a number is not between -1 and 1. Give correlation coefficients")
        return
    apart = np.abs(matrix - matrix.T)
    if apart.max() > SYMMETRY:
        i, j = divmod(int(np.argmax(apart)), len(of))
        text = (
            f"the matrix is not symmetric: {matrix[i, j]:g} for {of[i]} with {of[j]},"
            f" {matrix[j, i]:g} for {of[j]} with {of[i]}"
        )
        yield Problem(place, f"{text}. Give the same number twice")
        return
    if np.abs(np.diag(matrix) - 1).max() > SYMMETRY:
        k = int(np.argmax(np.abs(np.diag(matrix) - 1)))
        yield Problem(place, f"the diagonal has {matrix[k, k]:g} for {of[k]}. Give 1")
        return
    least = float(np.linalg.eigvalsh(matrix).min())
    if least < LEAST_EIGENVALUE:
        # The eigenvalues of I + t (R - I) are 1 + t (eigenvalue - 1).
        factor = np.floor(1000 * (1 - 1e-6) / (1 - least)) / 1000
        text = (
            f"the matrix is not positive definite: its smallest eigenvalue is {least:.3g}."
            " This set of correlations is impossible"
        )
        remedy = f"Correct the correlations, or multiply all correlations by {factor:g} or less"
        yield Problem(place, f"{text}. {remedy}")


def _name_problems(
    group: Correlation,
    of: Sequence[str],
    by_name: Mapping[str, Prepared],
    names: Sequence[str],
    seen: dict[str, str],
) -> Iterator[Problem]:
    key = "file" if group.file is not None else "of"
    for name in of:
        if name not in names:
            yield Problem(
                f"{group.place}.{key}", f"there is no dispersion '{name}'; {near(name, names, 'dispersions')}"
            )
            continue
        if name in seen:
            text = f"{name} is also in the group '{seen[name]}'. Join the two groups in one matrix"
            yield Problem(f"{group.place}.{key}", text)
        seen.setdefault(name, group.name)
        if name in by_name:
            yield from _way_problems(group, key, by_name[name].declared)


def _way_problems(group: Correlation, key: str, one: Dispersion) -> Iterator[Problem]:
    place = f"{group.place}.{key}"
    if one.way not in CORRELATED:
        text = f"{one.name} is drawn by {one.way} and cannot be correlated. Remove {one.name} from the group"
        yield Problem(place, text)
    if one.lot is not None:
        text = f"{one.name} is also in the lot '{one.lot}'. Use either a lot or a correlation"
        yield Problem(place, text)
    if one.importance is not None and one.importance.probabilities is not None:
        text = (
            f"{one.name} has importance.probabilities and cannot be correlated. Remove {one.name} from the "
            "group, or remove importance.probabilities"
        )
        yield Problem(place, text)


def _member_problems(group: Correlation, known: Sequence[Prepared]) -> Iterator[Problem]:
    counts = {one.name: len(one.labels) for one in known}
    if len({*counts.values()}) > 1:
        listed = ", ".join(f"{name} has {count}" for name, count in counts.items())
        text = f"the dispersions have different numbers of members: {listed}"
        remedy = "Set shared = true, or use inputs with the same number of members"
        yield Problem(group.place, f"{text}. {remedy}")
    kinds = {one.name: one.declared.kind for one in known}
    if len({*kinds.values()}) > 1:
        listed = ", ".join(f"{name} is {kind}" for name, kind in kinds.items())
        yield Problem(group.place, f"the dispersions have different kinds: {listed}. Use one kind for all")


def _by_member(known: Sequence[Prepared], matrix: np.ndarray) -> list[LinkedRows]:
    """A group for each member: member k of one dispersion is correlated with member k of the others."""
    return [
        LinkedRows(tuple((one.name, label) for one, label in zip(known, labels)), matrix)
        for labels in zip(*(one.labels for one in known))
    ]


def links_of(
    campaign: Campaign, found: Sequence[Prepared], folder: Path
) -> tuple[list[LinkedRows], list[Problem]]:
    """Return all production lots and correlated groups of a campaign, and problems of their declarations.

    - found: valid dispersions.
    - folder: folder of the files with correlation matrices.
    """
    lots, problems = lots_of(found)
    names = [one.name for one in campaign.dispersions]
    groups, more = correlations_of(campaign.correlations, found, names, folder)
    return [*lots, *groups], [*problems, *more]

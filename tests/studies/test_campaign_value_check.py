"""The check of all cases of a campaign at once, compared with the check of each case.

The reference is the check of every case by itself: `together` for the rules of single declarations, and
`value_problems` for the rules between declarations. Values are dispersed closely and widely, and hostile:
zero, negative, huge, infinite and not a number.
"""

from __future__ import annotations

import copy
import operator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from interstage import load
from interstage.checks import check, unread
from interstage.checks.check import value_problems
from interstage.checks.unread import ValueRead, valid_for_all_values
from interstage.model.body import Body
from interstage.runs.cases import together
from interstage.studies.campaign import plausibility
from interstage.studies.campaign.draws import Draws
from interstage.studies.campaign.flight import not_allowed
from interstage.tree.addresses import label, nodes_at, paths
from interstage.tree.declaration import Declaration, same
from interstage.tree.errors import BadInput

ROOT = Path(__file__).parents[2]
FILES = (
    *("examples/first.toml", "examples/inline_staging.toml", "examples/clampband_payload.toml"),
    *("examples/three_satellites.toml", "examples/mission.toml", "examples/ascent.toml"),
    *(
        "benchmarks/dispenser.toml",
        "validation/sts1-srb/scenario.toml",
        "validation/modal-stack/scenario.toml",
    ),
    "validation/rotorcraft/forward.toml",
)
PATHS = 25
"""Inputs of each file that are drawn for one test, from all its numeric inputs."""
DISPENSER = [f"devices.spring_{k}.preload" for k in range(1, 5)] + ["bodies.satellite.mass"]


@pytest.fixture(params=FILES)
def scenario(request):
    return load(ROOT / request.param)


@pytest.fixture
def dispenser():
    return load(ROOT / "benchmarks/dispenser.toml")


def leaves_of(scenario):
    """Numeric inputs of a scenario by path. Long tables are left out to save time."""
    found = {}
    for path in dict.fromkeys(paths(scenario)):
        try:
            nodes = nodes_at(scenario, path)
        except BadInput:  # the members of a pattern have different values
            continue
        if all(type(node) is np.ndarray and node.size <= 60 for node in nodes):
            found[path] = np.asarray(nodes[0], float)
    return found


def drawn(scenario, rng, count=PATHS):
    leaves = leaves_of(scenario)
    some = rng.choice(sorted(leaves), min(count, len(leaves)), replace=False)
    return {str(path): leaves[str(path)] for path in some}


def hostile(leaf, rng):
    """Values (..., cases) in and out of range."""
    cases = [leaf * (1 + 0.01 * rng.normal(size=leaf.shape)), leaf * (1 + rng.normal(size=leaf.shape))]
    cases += [-leaf, 0 * leaf, leaf + rng.normal(), 1e12 * leaf, leaf + 1e-9]
    cases += [np.where(rng.random(leaf.shape) < 0.5, wrong, leaf) for wrong in (np.nan, np.inf, -np.inf)]
    if leaf.shape == (3, 3):
        cases += [np.diag([0.0, 30.0, 30.0]), np.diag([1e-15, 1.0, 1.0]), np.diag([1.0, 2.0, 4.0])]
    return np.stack(cases, -1)


def checked(scenario, values):
    """Problems of the cases as a campaign finds them, by case."""
    count = next(iter(values.values())).shape[-1]
    draws = Draws(0, values, {}, np.ones(count), {})
    plan: Any = SimpleNamespace(scenario=scenario)
    return not_allowed(plan, draws, {})


def rejected(scenario, values):
    """Cases with a problem, each case checked by itself."""
    found = set()
    for case in range(next(iter(values.values())).shape[-1]):
        try:
            if value_problems(together(scenario, {path: own[..., case] for path, own in values.items()})):
                found.add(case)
        except BadInput:
            found.add(case)
    return found


def compare(scenario, values, monkeypatch):
    quick = checked(scenario, values)
    with monkeypatch.context() as patch:
        patch.setattr(plausibility, "valid_for_all_values", lambda *how: False)
        assert checked(scenario, values) == quick
    assert {*quick} == rejected(scenario, values)
    return quick


def test_all_cases_at_once_have_the_problems_of_each_case(scenario, monkeypatch):
    rng = np.random.default_rng(11)
    found = [compare(scenario, {p: hostile(v, rng)}, monkeypatch) for p, v in drawn(scenario, rng).items()]
    assert any(found)


def test_several_inputs_at_once_have_the_problems_of_each_case(scenario, monkeypatch):
    rng = np.random.default_rng(12)
    for spread in (1e-3, 0.02, 0.3):
        some = drawn(scenario, rng, 5)
        values = {p: v[..., None] * (1 + spread * rng.normal(size=(*v.shape, 6))) for p, v in some.items()}
        compare(scenario, values, monkeypatch)


def test_other_values_change_no_other_field(scenario):
    """The numbers of cases are replaced in the scenario, so no other field may depend on them."""
    rng = np.random.default_rng(13)
    for path, leaf in drawn(scenario, rng).items():
        if not all(map(unread._has_rules_of_all_cases, unread._owners(scenario, path))):
            continue  # each case is checked
        try:
            other = together(scenario, {path: leaf * (1 + 1e-6)})
        except BadInput:
            continue
        back = together(other, {path: leaf})
        assert differences(scenario, other) <= {path}
        assert not differences(scenario, back)


def differences(a, b, prefix=""):
    """Paths of the fields that differ between two trees."""
    if isinstance(a, Declaration) and type(a) is type(b):
        assert a.__pydantic_private__ == b.__pydantic_private__
        named = [f.alias or name for name, f in type(a).model_fields.items()]
        parts = [differences(x, getattr(b, k), f"{prefix}{n}.") for n, (k, x) in zip(named, a, strict=False)]
        return set().union(*parts)
    if isinstance(a, tuple) and isinstance(b, tuple) and a and isinstance(a[0], Declaration):
        named = [label(item, k) for k, item in enumerate(a)]
        return set().union(*(differences(x, y, f"{prefix}{n}.") for n, x, y in zip(named, a, b, strict=True)))
    return set() if a is b or same(a, b) else {prefix.rstrip(".")}


def test_the_cases_of_the_dispenser_need_one_check(dispenser, monkeypatch):
    calls = []

    def counted(scenario):
        calls.append(1)
        return value_problems(scenario)

    monkeypatch.setattr(plausibility, "value_problems", counted)
    rng = np.random.default_rng(14)
    leaves = {path: nodes_at(dispenser, path)[0] for path in (*DISPENSER, "bodies.satellite.inertia")}
    values = {p: v[..., None] * (1 + 0.01 * rng.normal(size=128)) for p, v in leaves.items()}
    assert not checked(dispenser, values)
    assert len(calls) == 1


@pytest.mark.parametrize("thin", [0.0, 1e-14, 3e-11, 1e-6])
def test_a_thin_rod_among_the_cases_is_found(dispenser, monkeypatch, thin):
    inertia = np.repeat(np.diag([24.0, 30.0, 28.0])[..., None], 5, axis=-1)
    inertia[..., 3] = np.diag([thin, 30.0, 30.0])
    found = compare(dispenser, {"bodies.satellite.inertia": inertia}, monkeypatch)
    assert [*found] == ([3] if thin <= check.WITHOUT_INERTIA * (60 + thin) else [])
    assert all("zero moment of inertia" in problem.message for problem, *_ in found.values())


def test_a_rule_that_does_not_apply_to_several_cases_is_found(monkeypatch):
    blades = load(ROOT / "validation/rotorcraft/forward.toml")
    tip, root = (nodes_at(blades, f"forces.air.{end}")[0] for end in ("tip", "root"))
    values = {"forces.air.tip": np.stack([tip, root, tip], -1)}
    together(blades, values)  # is accepted
    found = compare(blades, values, monkeypatch)
    assert [*found] == [1]
    assert "'tip' is the same point as root" in found[1][0].message


def test_the_rules_of_a_subclass_are_not_known(dispenser):
    class Subclass(Body):
        __module__ = Body.__module__

    class Foreign(Declaration):
        """A declaration of another package, without rules."""

    body = dispenser.bodies[0]
    assert unread._has_rules_of_all_cases(body)
    assert not unread._has_rules_of_all_cases(Subclass(**dict(body)))
    assert not unread._has_rules_of_all_cases(Foreign())


def test_a_check_that_reads_a_number_decides_nothing(dispenser):
    values = {"bodies.satellite.mass": np.full(3, 180.0)}
    faulty: Any = lambda scenario: ["any problem"]  # noqa: E731
    divides: Any = lambda scenario: 1 / 0  # noqa: E731
    assert valid_for_all_values(dispenser, values, lambda scenario: [])
    assert not valid_for_all_values(dispenser, values, faulty)

    def caught(scenario) -> Any:
        try:
            return [] if scenario.bodies[1].mass > 0 else ["no mass"]
        except Exception:  # noqa: BLE001 - as a check of another package may do
            return []

    assert not valid_for_all_values(dispenser, values, caught)
    assert not valid_for_all_values(dispenser, values, divides)
    assert not valid_for_all_values(dispenser, {"bodies.satellite.name": np.ones(3)}, lambda scenario: [])


READS = {
    **{f.__name__: f for f in (np.asarray, np.array, np.any, np.shape, np.ndim, np.isfinite, np.min)},
    **{f.__name__: f for f in (float, int, bool, str, repr, hash, len, iter, abs, list, copy.copy)},
    **{f.__name__: f for f in (operator.neg, operator.index, np.linalg.norm, copy.deepcopy)},
    "format": lambda x: f"{x:g}",
    "equal": lambda x: x == 1,
    "equal, reversed": lambda x: x == 1,
    "different": lambda x: x != 1,
    "in a list": lambda x: [x] == [2],
    "contained": lambda x: x in (1, 2),
    "less, reversed": lambda x: np.float64(2) < x,
    "product": lambda x: np.ones(3) * x,
    "matrix product": lambda x: np.eye(3) @ x,
    "element": lambda x: x[0],
    "hasattr": lambda x: hasattr(x, "shape"),
    "getattr": lambda x: getattr(x, "value", None),
    "stack": lambda x: np.stack([np.ones(3), x]),
    "same": lambda x: same(x, np.ones(3)),
}


@pytest.mark.parametrize("read", READS.values(), ids=READS)
@pytest.mark.parametrize("kind", [unread._Unreadable, unread._UnreadableSolid])
def test_every_read_of_a_missing_number_is_an_error(kind, read):
    value = kind()
    assert isinstance(value, np.ndarray)
    assert value is not None
    with pytest.raises(ValueRead):
        read(value)

"""Variants of a scenario's solver: how they are told, which exist, and what their names say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import interstage as ist
from interstage.comparison.variants import split, variants
from interstage.formulations.catalogue import ENTRIES

DEMO, FIRST = (
    Path(__file__).parents[1] / "examples" / f"{name}.toml" for name in ("payload_separation", "first")
)


@pytest.fixture(scope="module")
def demo() -> ist.Scenario:
    return ist.load(DEMO)


def test_names_with_options_are_told_from_names_without():
    texts = ["penalty,null_space:road=numerical, form=implicit_1,composite", "staggered"]
    assert split(texts) == ["penalty", "null_space:road=numerical,form=implicit_1", "composite", "staggered"]


def test_all_are_the_formulations_of_the_catalogue(demo):
    found, unfit = variants(demo, steps=["1 ms"])
    assert {variant.solver.formulation.kind for variant in found} | {item.name for item in unfit} == {
        *ENTRIES
    }


def test_names_say_what_varies_and_nothing_else(demo):
    kinds = ["lagrange_multiplier:eta=7"]
    found, _ = variants(demo, kinds, ["projection,baumgarte"], ["dop853", "rk4"], ["1 ms", 0.002])
    way = {variant.name.partition(", ")[2]: variant.solver for variant in found}
    assert [*way] == [
        "projection, dop853",
        "projection, rk4, 1 ms",
        "projection, rk4, 0.002 s",
        "baumgarte, dop853",
        "baumgarte, rk4, 1 ms",
        "baumgarte, rk4, 0.002 s",
    ]
    last = way["baumgarte, rk4, 0.002 s"]
    assert (last.stabilization, last.method, last.step, last.eta) == ("baumgarte", "rk4", 0.002, 7)


def test_options_of_the_formulation_and_of_the_solver(demo):
    (variant,), _ = variants(demo, ["null_space:road=numerical,form=implicit_1,tolerance=1e-7"])
    choice: Any = variant.solver.formulation
    assert (choice.kind, choice.road, choice.form) == ("null_space", "numerical", "implicit_1")
    assert variant.solver.tolerance == 1e-7


def test_what_steps_by_itself_needs_a_step_and_takes_no_method(demo):
    found, unfit = variants(demo, ["staggered"])
    assert not found
    assert '--step "1 ms"' in unfit[0].reason
    found, _ = variants(demo, ["staggered"], ["projection", "none"], ["dop853", "rk4"], ["1 ms"])
    assert len(found) == 1


def test_joints_that_may_give_way_take_no_stabilization(demo):
    found, _ = variants(demo, ["penalty", "regularized"], ["projection", "none"])
    assert [variant.name for variant in found] == ["penalty", "regularized"]


def test_a_formulation_keeps_the_options_that_the_scenario_gives_it():
    scenario = ist.load(FIRST, set={"solver.formulation": {"kind": "constraint_force", "unknowns": 24}})
    (variant,), _ = variants(scenario, ["constraint_force"])
    assert variant.solver.formulation == scenario.solver.formulation

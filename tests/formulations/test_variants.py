"""Variants of a scenario's solver: how they are told, which exist, and what their names say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import interstage as ist
from interstage.formulations.catalogue import ENTRIES
from interstage.studies.comparison.variants import reference_variant, split, variants

DEMO, FIRST = (
    Path(__file__).parents[2] / "examples" / f"{name}.toml" for name in ("payload_separation", "first")
)


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


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("lagrange_multiplier:formulation=penalty", "before the colon, penalty:"),
        ("lagrange_multiplier:kind=penalty", "before the colon, penalty:"),
        ("staggered:method=rk4", "method has no effect"),
        ("staggered:stabilization=none", "not for staggered"),
        ("penalty:stabilization=none", "not for penalty"),
        ("staggered:tolerance=1e-6", "for adaptive methods"),
        ("simultaneous:position_scale=2 m,max_step=1 s", "max_step has no effect"),
        ("lagrange_multiplier:method=rk4,max_step=1 s", "for adaptive methods"),
        ("lagrange_multiplier:step=2 ms", "for rk4"),
        ("lagrange_multiplier:eta=7", "baumgarte"),
        ("simultaneous:treatment=staggered,eta=7", "baumgarte"),
        ("simultaneous:regularization=0.1", "for the staggered treatment"),
    ],
)
def test_options_that_would_change_nothing_are_refused(text, said):
    scenario = ist.load(FIRST, set={"solver.step": "1 ms"})
    with pytest.raises(ist.BadInput, match=said) as caught:
        variants(scenario, [text])
    assert len(caught.value.problems) == 1
    with pytest.raises(ist.BadInput, match=said):
        reference_variant(scenario, text)


@pytest.mark.parametrize(
    "text",
    [
        "lagrange_multiplier:method=rk4,step=2 ms",
        "lagrange_multiplier:stabilization=baumgarte,eta=7",
        "simultaneous:eta=7,position_scale=2 m,tolerance=1e-9",
        "simultaneous:treatment=staggered,regularization=0.1",
        "penalty:stiffness=1 N/m,torsional_stiffness=1 N m/rad,frequency=3 rad/s",
    ],
)
def test_options_that_have_an_effect_are_taken(text):
    found, _ = variants(ist.load(FIRST, set={"solver.step": "1 ms"}), [text])
    assert [variant.name for variant in found] == [text]


def test_an_option_of_the_same_name_is_the_formulation_s_own():
    scenario = ist.load(FIRST, set={"solver.step": "1 ms"})
    (variant,), _ = variants(scenario, ["simultaneous:tolerance=1e-7"])
    choice: Any = variant.solver.formulation
    assert (choice.tolerance, variant.solver.tolerance) == (1e-7, scenario.solver.tolerance)


def test_a_scenario_with_feedback_is_compared_with_formulations_that_know_none():
    scenario = ist.load(FIRST, set={"solver.stabilization": "baumgarte"})
    kinds = ["lagrange_multiplier", "penalty", "staggered"]
    found, _ = variants(scenario, kinds, steps=["1 ms"])
    assert [v.solver.stabilization for v in found] == ["baumgarte", "projection", "projection"]

"""A formulation that is asked for what it does not support says so before the flight."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

import interstage as ist
from interstage.checks.formulation import features, formulation_problems
from interstage.formulations import catalogue
from interstage.formulations.catalogue import Entry
from interstage.parts.control.actuator import Actuator
from interstage.parts.control.declared import PID

BODY: Any = {"mass": 1.0, "inertia": [1.0, 1.0, 1.0]}
KIND = "constraint_force"
SECOND = {"name": "second", "kind": "fixed", "parent": "a", "child": "b"}
LET_GO = {"name": "later", "until": {"elapsed": 1.0}, "release": ["first"]}


def joined_bodies(
    first: dict[str, Any] | None = None,
    more: tuple[dict[str, Any], ...] = (),
    phases: tuple[dict[str, Any], ...] = (),
    devices: tuple[dict[str, Any], ...] = (),
    kind: Any = KIND,
    elements: tuple[dict[str, Any], ...] = (),
    step: float | None = None,
) -> ist.Scenario:
    """Two bodies and a joint, and what is added."""
    bodies = ({"name": "a", "initial": {}, "elements": elements, **BODY}, {"name": "b", **BODY})
    joint = {"name": "first", "kind": "fixed", "parent": "a", "child": "b", **(first or {})}
    return ist.Scenario.model_validate(
        {
            "bodies": bodies,
            "joints": (joint, *more),
            "phases": ({"name": "joined", "until": {"elapsed": 1.0}}, *phases),
            "devices": devices,
            "solver": {"formulation": kind, "step": step},
        }
    )


PLAIN = joined_bodies()
CUT = {"kind": "linear_charge", "name": "charge", "joints": ["first"]}
ROLLING = {"kind": "rolling", "radius": 0.5, "parent": "ground"}
MOTION = {"kind": "constant", "value": 0.1}
TANK = {"name": "tank", "kind": "point", "propellant": 1.0, "at": [0, 0, 0]}
HAVING = {
    "loops": joined_bodies(more=(SECOND,)),
    "nonholonomic": joined_bodies({"kind": "velocity", "locked": ["tx"]}),
    "driven": joined_bodies({"kind": "generalized", "locked": ["tz"], "driven": {"tz": MOTION}}),
    "topology": joined_bodies(phases=(LET_GO,)),
    "changing_mass": joined_bodies(elements=(TANK,)),
}


@pytest.mark.parametrize("what", HAVING)
def test_what_is_not_admitted_is_refused_with_the_joints_concerned(what, monkeypatch):
    monkeypatch.setitem(catalogue.ENTRIES, KIND, replace(Entry("a control"), **{what: False}))
    (problem,) = formulation_problems(HAVING[what])
    assert problem.place == "solver.formulation"
    assert f"'{KIND}' does not support" in problem.message
    assert {"loops": "second", "changing_mass": "bodies.a"}.get(what, "first") in problem.message
    with pytest.raises(ist.BadInput, match="does not support"):
        HAVING[what].check()
    assert not [*formulation_problems(PLAIN)]
    others = [having for other, having in HAVING.items() if other != what]
    assert not [problem for having in others for problem in formulation_problems(having)]


def test_formulations_that_do_not_step_tanks_refuse_them():
    tanks = joined_bodies(elements=(TANK,), kind={"kind": "composite"}, step=0.1)
    (problem,) = formulation_problems(tanks)
    assert "bodies.a). Allowed here: lagrange_multiplier, constraint_force" in problem.message
    minimal = joined_bodies(elements=(TANK,), kind={"kind": "null_space", "coordinates": "minimal"})
    (problem,) = formulation_problems(minimal)
    assert problem.place == "solver.formulation.coordinates"
    assert 'Set coordinates = "absolute"' in problem.message


@pytest.mark.parametrize(
    "kind", [*(k for k, entry in catalogue.ENTRIES.items() if not entry.changing_mass), "minimal"]
)
def test_formulations_that_do_not_step_laws_and_actuators_refuse_them(kind):
    """Their states would stand still, and nothing would tell."""
    minimal: Any = {"kind": "null_space", "coordinates": "minimal"}
    plain = joined_bodies(kind=minimal if kind == "minimal" else kind, step=0.01)
    law = {"kind": "pid", "name": "hold", "measured": "bodies.a.speed", "target": 1.0, "ki": 0.5}
    lag = {"kind": "first_order", "time_constant": 0.1}
    fin = {"name": "fin", "command": "controls.hold", "model": lag}

    def told(changed: dict[str, Any], fin: dict[str, Any]) -> str:
        found = plain.model_copy(
            update={"controls": (PID(**{**law, **changed}),), "actuators": (Actuator(**fin),)}
        )
        return " ".join(p.message for p in formulation_problems(found))

    states = "states other than body motion"
    assert f"{states} (controls.hold, actuators.fin)" in told({}, fin)
    # A law that is sampled has no state, and neither has an actuator that stands where it is commanded to.
    assert told({"period": 0.1}, {**fin, "model": "ideal"}) == ""
    # A device of a package of parts may have one.
    damper = SimpleNamespace(name="damper", changing=True, released_joints=(), caught_joints=())
    found = formulation_problems(plain.model_copy(update={"devices": (damper,)}))
    assert f"{states} (devices.damper)" in " ".join(p.message for p in found)


def test_what_is_admitted_is_not_refused(monkeypatch):
    monkeypatch.setitem(catalogue.ENTRIES, KIND, Entry("a control"))
    assert not [problem for having in HAVING.values() for problem in formulation_problems(having)]


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        (joined_bodies({"active": False}), "topology"),
        (joined_bodies(devices=(CUT,)), "topology"),
        (
            joined_bodies(
                phases=(
                    {
                        "name": "later",
                        "until": {"elapsed": 1.0},
                        "replace": [{"joint": "first", "kind": "velocity", "locked": ["rz"]}],
                    },
                )
            ),
            "nonholonomic",
        ),
        (joined_bodies(ROLLING), "nonholonomic"),
    ],
)
def test_every_way_to_have_something_is_found(changed, what):
    assert features(changed)[what][1] == ["first"]


def test_rows_that_repeat_each_other_are_refused_where_they_are_not_admitted():
    with pytest.raises(ist.BadInput, match=r"first, second are redundant \(6 of 12"):
        HAVING["loops"].run()
    assert not catalogue.ENTRIES[KIND].redundancy  # control: that is why

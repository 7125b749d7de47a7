"""Flexible bodies in the engine: the order of their nodes, and scenarios without any."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import numpy as np

import interstage
from engine_door import coupling, instant_as_declared, mechanism_of
from interstage.model.flexible import attachments
from interstage.reading import load, loads
from test_modal import TEXT
from test_modal_joints import JOINT

HOUSE = Path(interstage.__file__).parent
FLYING = ("starts", "programs", "observation", "diagnosis", "runs", "sensitivities")
EXAMPLE = Path(__file__).parents[2] / "examples" / "first.toml"


def test_nodes_are_in_the_order_of_groups_and_declarations():
    """Joints, forces and devices first: sums over nodes are in this order."""
    tie = f'{JOINT}kind = "spherical"\nassemble = true\n[engines.thruster]'
    scenario = loads(TEXT.replace("[engines.thruster]", tie))
    found = [(one.group, one.item.name, one.end) for one in attachments(scenario, {"core", "top"})]
    groups = [group for group, *_ in found]
    order = ("joints", "forces", "devices", "engines", "sensors")
    assert groups == sorted(groups, key=order.index)
    assert found[:2] == [("joints", "hold", "parent"), ("joints", "hold", "child")]
    columns = mechanism_of(scenario).layout.columns
    assert [key[1:] for key in columns.nodes] == [(name, end) for _, name, end in found]
    assert columns.joints_at_nodes == (0,)


def test_without_flexible_bodies_arrays_stay_as_they_are():
    """So that the program of a rigid scenario has no equation more."""
    here = instant_as_declared(load(EXAMPLE))
    mechanism, x, motion = here.mechanism, here.x, here.motion
    layout = mechanism.layout
    assert not layout.flexible.items
    assert not layout.columns.nodes
    assert coupling.at_mass(mechanism, x) is mechanism
    assert coupling.with_nodes(mechanism, x, motion) is motion
    assert coupling.without_nodes(layout, motion) is motion
    assert coupling.moving(here) is motion
    assert coupling.moving_joints(here) is motion
    assert coupling.at_rest(mechanism, x) is None
    for loads_on in (coupling.on_bodies, coupling.on_joined):
        on_bodies, on_modes = loads_on(mechanism, x, motion, here.loads)
        assert on_bodies is here.loads
        assert on_modes is None
    assert coupling.centres(layout, {}, mechanism.numbers.centre) is mechanism.numbers.centre
    assert coupling.accelerations(here) is here.acceleration
    assert np.array_equal(layout.columns.bodies_of([0, 1]), [0, 1])


CONDITIONS = ("nodes", "joints_at_nodes", "nodes_follow_mass", "follows_mass", "flexible", "mode_bodies")
"""Attributes by which code depends on flexible bodies."""
ALLOWED = {
    ("engine/layout.py", "joints_at_nodes"): "rows that move modes are not eliminated along the tree",
    ("diagnosis/not_finite.py", "nodes"): "names of the columns in a message",
}
"""(file, attribute): reason."""


def dependent(tree: ast.AST) -> set[str]:
    """The attributes of `CONDITIONS` that code reads, `nodes` of columns only."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in CONDITIONS:
            owner: Any = node.value
            if node.attr != "nodes" or getattr(owner, "attr", "") == "columns":
                found.add(node.attr)
    return found


def test_conditions_on_flexible_bodies_are_in_one_room():
    files = [file for room in ("engine", "formulations", *FLYING) for file in (HOUSE / room).rglob("*.py")]
    paths = {file.relative_to(HOUSE).as_posix(): file for file in files}
    found = {
        (path, name)
        for path, file in paths.items()
        if not path.startswith("engine/flexible/")
        for name in dependent(ast.parse(file.read_text(encoding="utf-8")))
    }
    assert found == ALLOWED.keys()

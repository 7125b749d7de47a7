"""The scenario as a tree: pytree, addresses, equality."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import interstage as ist
from interstage.tree import addresses as tree
from interstage.tree import declaration

GOOD = Path(__file__).parents[1] / "bad_input" / "good.toml"


@pytest.fixture(scope="module")
def good():
    declaration.register_all()
    return ist.load(GOOD)


def numbers(node):
    """Every numeric value in a declaration, found by looking at it, not through the pytree."""
    if isinstance(node, declaration.Declaration):
        values = [getattr(node, n) for n in type(node).model_fields] + [
            *(node.__pydantic_extra__ or {}).values()
        ]
        return sum(map(numbers, values), 0)
    if isinstance(node, tuple):
        return sum(map(numbers, node), 0)
    return int(isinstance(node, np.ndarray))


def test_leaves_are_the_numbers(good):
    leaves = jax.tree.leaves(good)
    assert all(isinstance(leaf, np.ndarray) and leaf.dtype == np.float64 for leaf in leaves)
    assert len(leaves) == numbers(good) > 50


def test_key_paths_name_the_leaves(good):
    keyed, _ = jax.tree_util.tree_flatten_with_path(good)
    found = {jax.tree_util.keystr(path): leaf for path, leaf in keyed}
    assert len(found) == len(keyed)
    assert found[".bodies[1].mass"] == 1000
    assert found[".joints[3].driven.tx.amplitude"] == 0.0254
    assert found[".forces[0].force.value"].shape == (3, 3)
    assert found[".forces[4].parameters.area"] == 2.5


def test_flatten_and_back_is_the_same(good):
    leaves, structure = jax.tree.flatten(good)
    back = jax.tree.unflatten(structure, leaves)
    assert back == good
    assert {*back.forces[4].parameters.keys()} == {*good.forces[4].parameters.keys()}
    assert back.forces[4].parameters["on"] is True
    assert hash(structure) == hash(jax.tree.structure(ist.load(GOOD)))


def test_structure_holds_what_is_not_a_number(good):
    structure = jax.tree.structure(good)
    assert jax.tree.structure(tree.set(good, "bodies.payload.mass", 3)) == structure
    for path, value in [
        ("joints.hinge.axis", "y"),
        ("joints.hinge.active", False),
        ("forces.drag.parameters.model", "round"),
        ("forces.drag.parameters.on", False),
        ("phases.apart.release", ()),
        ("bodies.arm.name", "limb"),
        ("joints.hinge.parent_frame", None),
    ]:
        assert jax.tree.structure(tree.set(good, path, value)) != structure, path


def test_leaves_may_be_anything_after_validation(good):
    """Unflattening does not validate: in_axes trees hold None and int, traced trees hold tracers."""
    axes = jax.tree.map(lambda leaf: 0, good)
    assert jax.tree.leaves(axes) == [0] * len(jax.tree.leaves(good))
    assert jax.tree.structure(axes) == jax.tree.structure(good)
    names = jax.tree.map(lambda leaf: None, good)
    assert names.bodies[0].mass is None


def work(s, x):
    """Some function of leaves of every sort."""
    energy = sum(b.mass * jnp.sum(b.mass_centre + x, axis=0) ** 2 for b in s.bodies)
    return energy + s.devices[0].preload * x + s.phases[0].until.time * s.forces[4].parameters["area"]


def test_jit_gradient_and_lanes(good):
    with jax.enable_x64(True):
        value = jax.jit(work)(good, 2.0)
        assert value == pytest.approx(float(work(good, 2.0)), rel=1e-15)
        gradient = jax.grad(work)(good, 2.0)
        assert gradient.devices[0].preload == 2.0
        assert gradient.phases[0].until.time == 2.5
        assert gradient.joints[0].kind == "fixed"
        lanes = jax.tree.map(lambda leaf: jnp.broadcast_to(leaf[..., None], (*leaf.shape, 5)), good)
        assert jax.jit(work)(lanes, 2.0).shape == (5,)
        np.testing.assert_allclose(jax.jit(work)(lanes, 2.0), value, rtol=1e-14)


def test_second_call_does_not_compile_again(good):
    count = 0

    @jax.jit
    def mass(s):
        nonlocal count
        count += 1
        return s.bodies[0].mass

    mass(good)
    mass(tree.set(good, "bodies.payload.mass", 7))
    assert count == 1
    mass(tree.set(good, "joints.hinge.axis", "y"))
    assert count == 2


def test_classes_made_later_register_themselves():
    declaration.register_all()

    class Later(declaration.Declaration):
        gain: float = 1.0  # not numeric in the sense of units.si: structure
        body: ist.Body

    later = Later(body=ist.Body(name="a", mass=1, inertia=[1, 1, 1]))
    assert len(jax.tree.leaves(later)) == len(jax.tree.leaves(later.body)) == 4


# --- addresses


def test_get_set_and_paths_agree(good):
    for path in tree.paths(good):
        value = tree.get(good, path)
        assert tree.get(tree.set(good, path, value), path) is not None
        assert tree.set(good, path, value) == good, path


def test_paths_cover_the_leaves(good):
    arrays = [p for p in tree.paths(good) if isinstance(tree.get(good, p), np.ndarray)]
    assert len(arrays) == len(set(arrays)) == len(jax.tree.leaves(good))
    assert "bodies.payload.mass" in arrays
    assert "phases.apart.until.any.1.reaches.magnitude" in arrays
    assert "forces.drag.class" in tree.paths(good)


def test_set_validates_and_converts(good):
    changed = tree.set(good, "bodies.payload.mass", "1 t")
    assert changed.bodies[1].mass == 1000
    assert np.asarray(changed.bodies[1].mass).dtype == np.float64
    assert tree.set(good, "bodies.payload.mass", "900 kg").bodies[1].mass == 900
    assert good.bodies[1].mass == 1000
    assert tree.set(good, "forces.drag.parameters.area", 3).forces[4].parameters["area"] == 3


def test_set_takes_one_element_of_an_array(good):
    moved = tree.set(good, "bodies.payload.mass_centre.z", "2 mm")
    assert moved.bodies[1].mass_centre.tolist() == [*good.bodies[1].mass_centre[:2], 0.002]
    assert tree.set(good, "bodies.payload.mass_centre[2]", 0.002) == moved
    heavy = tree.set(good, "bodies.payload.inertia[1, 1]", 620)
    assert heavy.bodies[1].inertia[1, 1] == 620
    assert tree.set(heavy, "bodies.payload.inertia[1,1]", good.bodies[1].inertia[1, 1]) == good


@pytest.mark.parametrize(
    ("path", "value", "place", "words"),
    [
        ("bodies.payload.mass", "3 ft", "bodies.payload.mass", "622 slug"),
        ("bodies.payload.mas", 3, "bodies.payload.mas", "did you mean 'mass'"),
        ("bodies.paylod.mass", 3, "bodies.paylod", "did you mean 'payload'"),
        ("bodis.payload.mass", 3, "bodis", "did you mean 'bodies'"),
        ("bodies.payload.mass.x", 3, "bodies.payload.mass.x", "unknown path"),
        (
            "bodies.arm.initial.velocity",
            [1, 2, 3],
            "bodies.arm.initial.velocity",
            "bodies.arm.initial is not set. Add [bodies.arm.initial]",
        ),
        (
            "devices.cutter.axis.x",
            1,
            "devices.cutter.axis.x",
            "devices.cutter.axis is not set. Add the key",
        ),
        ("bodies.arm.inertia", [1, 1, 9], "bodies.arm.inertia", "1, 1, 9"),
        ("joints.clamp.kind", "rodd", "joints.clamp.kind", "did you mean 'rod'"),
        ("phases.apart.until.any.1.direction", "up", "phases.apart.until.any.1.direction", "rising"),
        ("solver.tolerance", 1, "solver.tolerance", "out of range"),
        ("", 3, "", "unknown path"),
        ("bodies.payload.mass_centre.y", "3 kg", "bodies.payload.mass_centre.y", "'3 kg' is in kg"),
        (
            "bodies.payload.mass_centre[3]",
            3,
            "bodies.payload.mass_centre",
            "no element [3]",
        ),
        ("bodies.payload.mass_centre.w", 3, "bodies.payload.mass_centre.w", "unknown path"),
        ("bodies.payload.inertia[0]", 3, "bodies.payload.inertia", "is a row of 3 by 3 numbers"),
        ("bodies.payload.mass[0]", 3, "bodies.payload.mass", "is one number"),
        ("bodies.payload[0]", 3, "bodies.payload", "is not a list of numbers"),
    ],
)
def test_set_refuses_with_the_whole_path(good, path, value, place, words):
    with pytest.raises(ist.BadInput) as caught:
        tree.set(good, path, value)
    (problem,) = caught.value.problems
    assert problem.place == place
    assert words in problem.message


def test_get_refuses_unknown_paths(good):
    with pytest.raises(ist.BadInput, match="did you mean 'mass'"):
        tree.get(good, "bodies.payload.masss")


# --- equality, freezing


def test_equality_is_exact_and_by_value(good):
    assert good == ist.load(GOOD)
    assert good is not ist.load(GOOD)
    nearly = np.nextafter(1000.0, 2000.0)
    assert tree.set(good, "bodies.payload.mass", nearly) != good
    assert tree.set(good, "title", "other") != good
    assert good.bodies[0] != good.joints[0]
    assert hash(good.bodies[0]) == hash(ist.load(GOOD).bodies[0])


def test_declarations_are_frozen(good):
    with pytest.raises(Exception, match="frozen"):
        good.bodies[0].mass = 3
    with pytest.raises(ValueError, match="read-only"):
        good.bodies[0].mass_centre[0] = 3


def test_import_is_light():
    code = (
        "import sys, interstage; print(sorted({'jax', 'pint', 'pydantic', 'numpy', 'xarray',"
        " 'matplotlib'} & {*sys.modules}));"
        "from interstage.scenario import Scenario; print(sorted({'jax', 'pint', 'xarray', 'matplotlib'}"
        " & {*sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["[]", "[]"]


def test_public_names_can_be_imported():
    for name in ist.__all__:
        assert getattr(ist, name) is not None, name
    with pytest.raises(AttributeError, match="no attribute 'Bodi'"):
        _ = ist.Bodi

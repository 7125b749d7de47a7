"""Liquid that sloshes: numbers of the first lateral mode against potential flow, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import jv, jvp

from interstage.parts.propellant import elements as mass_elements
from interstage.parts.propellant import slosh_law, tank_masses
from interstage.reading import loads
from interstage.tree import declaration as tree
from interstage.tree.errors import BadInput
from interstage.tree.toml_file import dumps
from mechanics import EPS
from slosh_tanks import RADIUS, RHO, STAGE, tank

# Any: they are called as files call them, with texts and tables that the validation turns into fields.
Cylinder: Any = mass_elements.CylinderTank
Sphere: Any = mass_elements.SphereTank
Grain: Any = mass_elements.Grain
Point: Any = mass_elements.PointTank
tree.register_all()


def cylinder(depth, **slosh):
    """A tank along x, filled to a depth [m], with a slosh mass of the closed form, prepared."""
    mass = RHO * np.pi * RADIUS**2 * depth
    given = {"kind": "pendulum", **slosh}
    tank = Cylinder(
        name="tank", propellant=mass, density=RHO, radius=RADIUS, bottom=[3.0, 0, 0], axis=[2.0, 0, 0],
        slosh=given,
    )  # fmt: skip
    return tank_masses.prepare((tank,)), np.array([mass])


@pytest.mark.parametrize("depth", [0.1, 0.35, 1.5])
def test_cylinder_is_that_of_potential_flow(depth):
    """Mass, length and hinge of the pendulum from the lowest mode phi = J1(k r) cos(a) cosh(k z) of a liquid
    in a cylinder. P^2 / (2 T) with momentum P and kinetic energy T is the mass, and the pressures' moment
    about the centre of the bottom over their force is the height of the hinge: there the pendulum pulls."""
    root: Any = brentq(lambda s: jvp(1, s), 1.5, 2.2, xtol=1e-15)
    k = root / RADIUS
    wall = jv(1, k * RADIUS) * np.pi * RADIUS
    along = quad(lambda z: np.cosh(k * z), 0, depth)[0]
    lever = quad(lambda z: z * np.cosh(k * z), 0, depth)[0]
    bottom = np.pi * quad(lambda r: jv(1, k * r) * r * r, 0, RADIUS)[0]
    square = np.pi * quad(lambda r: jv(1, k * r) ** 2 * r, 0, RADIUS)[0]
    momentum = RHO * wall * along
    energy = 0.5 * RHO * k * np.cosh(k * depth) * np.sinh(k * depth) * square
    ready, left = cylinder(depth)
    found = slosh_law.law(ready.slosh[0], left[0])
    # The integrals are good to 1e-13 or so.
    assert found.mass == pytest.approx(momentum**2 / (2 * energy), rel=1e-11)
    assert found.scale == pytest.approx(1 / (k * np.tanh(k * depth)), rel=1e-11)
    assert found.base[0] == pytest.approx(3.0 + (wall * lever + bottom) / (wall * along), rel=1e-11)


def test_an_empty_tank_is_no_exception():
    """Numbers stay finite to the last drop and below, and what is left of the body has a positive inertia at
    every level."""
    ready, _ = cylinder(1.0)
    dry = tank_masses.Totals(np.asarray(1e-3), np.array([3.0, 0, 0]), np.zeros((3, 3)))
    for mass in (-1e-9, 0.0, 1e-6, 0.1, 5.0, 50.0, 500.0, 5000.0):
        left = np.array([mass])
        law = slosh_law.law(ready.slosh[0], left[0])
        assert all(np.isfinite(v).all() for v in law)
        assert law.scale < 12 * RADIUS
        totals = tank_masses.totals(ready, dry, left)
        whole = tank_masses.totals(ready._replace(slosh=(None,)), dry, left)
        assert totals.mass + law.mass == pytest.approx(whole.mass, rel=10 * EPS)
        rest = slosh_law.at_rest(ready.slosh[0], left[0])
        centre = (totals.mass * totals.centre + law.mass * rest) / whole.mass
        np.testing.assert_allclose(centre, whole.centre, rtol=100 * EPS)
        if mass > 0:
            assert np.linalg.eigvalsh(totals.inertia).min() > 0


def test_lanes_are_as_each_alone():
    table: Any = {"left": [0.0, 300.0, 900.0], "share": [0.5, 0.4, 0.1], "length": [2.0, 1.0, 0.8]}
    hinges = [[4.0, 0, 0], [4.2, 0.1, 0], [5.0, 0, 0.1]]
    tanks = [cylinder(0.5, damping_ratio=0.1, displacement=[0, 0.01, 0])[0]]
    tanks.append(cylinder(0.5, damping_ratio=0.1, hinge=hinges, **table)[0])
    for ready in tanks:
        each = [slosh_law.law(ready.slosh[0], np.asarray(m)) for m in (100.0, 640.0)]
        both = slosh_law.law(ready.slosh[0], np.array([100.0, 640.0]))
        for lane, alone in enumerate(each):
            for found, expected in zip(both, alone, strict=True):
                np.testing.assert_allclose(found[..., lane], expected, rtol=10 * EPS)


CASES = {
    'kind = "pendulum"\nshare = 1.2\nlength = 1.0\nhinge = [4, 0, 0]': "the share 1.2 is more than 1",
    'kind = "pendulum"\nshare = 0.2\nlength = 1.0': "is missing, but share is set",
    'kind = "pendulum"\nleft = [0.0, 600.0]': "is set without",
    'kind = "spring_mass"\nshare = [0.2, 0.3]\nfrequency = 1.0\nplace = [4, 0, 0]': "has 2 rows",
    'kind = "pendulum"\nshare = 0.2\nlength = 1.0\nhinge = [4, 0, 0]\ndisplacement = [0, 2, 0]': "2 m",
    'kind = "pendulum"\ndisplacement = [0, 0.4, 0]': "0.4 m is not less than the pendulum length",
    'kind = "spring_mass"\nleft = [0.0, 500.0]\nshare = [0.2, 0.3]\nfrequency = [1.0, 1.0]\n'
    "place = [[4, 0, 0], [4, 0, 0]]": "600 kg is more than the last value",
    'kind = "spring_mass"\nleft = [0.0, 700.0, 600.0]\nshare = [0.2, 0.3, 0.3]\nfrequency = [1.0, 1.0, 1.0]\n'
    "place = [[4, 0, 0], [4, 0, 0], [4, 0, 0]]": "must be in increasing order",
}  # fmt: skip
END = '\n[bodies.stage.initial]\n[phases.fly]\nuntil = { time = "1 s" }\n'


@pytest.mark.parametrize(("slosh", "words"), CASES.items())
def test_refused(slosh, words):
    with pytest.raises(BadInput, match=r"elements\.lox") as caught:
        loads(STAGE + tank("stage", "lox", 600.0, 3, slosh) + END)
    assert words in str(caught.value)


def test_refused_elsewhere():
    """What does not slosh, tanks without a closed form, and the empirical model of a changing mass."""
    pendulum: Any = {"slosh": {"kind": "pendulum"}, "name": "a", "propellant": 1.0}
    with pytest.raises(BadInput, match="slosh: 'slosh' is allowed only for a liquid"):
        Point(**pendulum, at=[0, 0, 0])
    sizes: Any = {"density": 1e3, "centre": [0, 0, 0], "axis": [1, 0, 0]}
    with pytest.raises(BadInput, match="slosh: 'slosh' is allowed only for a liquid"):
        Grain(**pendulum, **sizes, length=1.0, outer_radius=1.0)
    with pytest.raises(BadInput, match=r"in a sphere\. Give share, length, hinge"):
        Sphere(**pendulum, **sizes, radius=1.0)
    stage = STAGE + "inertia_rate = 1.0\n" + tank("stage", "lox", 600.0, 3, 'kind = "pendulum"') + END
    with pytest.raises(BadInput, match="cannot be combined with the 'inertia_rate'"):
        loads(stage)


def test_written_and_read():
    whole = STAGE + tank("stage", "lox", 600.0, 3, 'kind = "pendulum"\ndamping_ratio = 0.01') + END
    text = dumps(loads(whole))
    assert dumps(loads(text)) == text
    assert 'kind = "pendulum"' in text

"""What bodies carry, as it is declared: by name, with signs, and what is refused."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import pytest

from interstage.model import body
from interstage.tree import addresses as tree
from interstage.tree import declaration
from interstage.tree.errors import BadInput
from interstage.tree.units import si
from mass_declarations import Cylinder, Grain, Item, Point, Sphere, Table

TABLE: dict = {
    "name": "t",
    "propellant": 400,
    "left": [0, 100, 250, 400],
    "mass_centre": [[40, 0, 0], [39, 0.1, 0], [37, 0.1, 0.2], [36, 0, 0.3]],
    "inertia": [[1, 2, 2.5], [20, 30, 40], [50, 60, 70], [60, 90, 100]],
}


class Holder(declaration.Declaration):
    """A body, as far as this file needs one."""

    elements: body.MassElements = ()
    mass: Annotated[Any, si("kg")] = 1.0


def table(**options) -> Any:
    return Table(**TABLE | options)


def test_declared_by_name_and_addressed_by_path():
    holder: Any = Holder
    made = holder(
        elements={
            "fairing": {"kind": "item", "mass": "1 slug", "mass_centre": "[1, 0, 0] ft"},
            "lox": {
                "kind": "sphere",
                "propellant": 10,
                "density": 1141,
                "radius": 1,
                "centre": [0, 0, 0],
                "axis": [1, 0, 0],
            },
        }
    )
    assert tree.get(made, "elements.lox.propellant") == 10
    assert tree.set(made, "elements.lox.propellant", 20).elements[1].propellant == 20
    np.testing.assert_array_equal(made.elements[0].inertia, np.zeros((3, 3)))


def test_products_of_inertia_have_their_sign():
    matrix = np.array([[3.0, 0.5, 0], [0.5, 4, 0], [0, 0, 5]])
    rows = table(
        left=[0, 400], mass_centre=np.zeros((2, 3)), inertia=[matrix.tolist()] * 2, products="integrals"
    )
    np.testing.assert_array_equal(rows.inertia[1], matrix * [[1, -1, 1], [-1, 1, 1], [1, 1, 1]])
    assert rows.products == "tensor"


# --- refusals -----------------------------------------------------------------------------------------------

TANK: dict = {"name": "t", "density": 1000, "radius": 1, "axis": [0, 0, 1]}
TUBE: dict = {
    "name": "t",
    "density": 1000,
    "length": 1,
    "outer_radius": 1,
    "centre": [0, 0, 0],
    "axis": [0, 0, 1],
}


@pytest.mark.parametrize(
    ("declare", "words"),
    [
        (
            lambda: Sphere(**TANK, propellant=4200, centre=[0, 0, 0]),
            "propellant: 4200 kg is more than the 4188.79 kg that the sphere holds",
        ),
        (
            lambda: Cylinder(**TANK, propellant=np.array([6000.0, 6300]), bottom=[0, 0, 0], height=2),
            "propellant: 6300 kg is more than the 6283.19 kg that the cylinder holds",
        ),
        (
            lambda: Grain(**TUBE, propellant=3200),
            "propellant: 3200 kg is more than the 3141.59 kg that a solid cylinder of this size holds",
        ),
        (
            lambda: Point(name="p", propellant=5, residual=6, at=[0, 0, 0]),
            "residual: 6 kg is more than the 5 kg of propellant",
        ),
        (
            lambda: Cylinder(**TANK | {"axis": [0, 0, 0]}, propellant=1, bottom=[0, 0, 0]),
            "axis: the vector is zero. Give a direction like [0, 0, 1]",
        ),
        (lambda: Grain(**TUBE | {"axis": [0, 0, 0]}, propellant=1), "axis: the vector is zero"),
        (
            lambda: Cylinder(**TANK, propellant=1, bottom=[0, 0, 0], roll_fraction=1.5),
            "roll_fraction: 1.5 is out of range",
        ),
        (
            lambda: Item(name="i", mass=1, mass_centre=[0, 0, 0], inertia=[1, 1, 3]),
            "inertia: no real body has the principal moments 1, 1, 3 kg m^2 about its centre of mass",
        ),
        (
            lambda: table(inertia=[[1, 2, 2.5], [1, 2, 4], [1, 2, 2], [1, 2, 2]]),
            "inertia: in row 2, no real body has the principal moments 1, 2, 4 kg m^2",
        ),
        (
            lambda: table(left=[0, 100, 90, 400]),
            "left: 'left' must be in increasing order, but 90 kg follows 100 kg. Sort the rows",
        ),
        (
            lambda: table(mass_centre=[[0, 0, 0]]),
            "mass_centre: 'mass_centre' has 1 row, but 'left' has 4",
        ),
        (
            lambda: table(propellant=500),
            "propellant: 500 kg is more than the last value of the table, 400 kg",
        ),
        (
            lambda: table(left=[50, 100, 250, 400], residual=10),
            "left: 50 kg is the first value of the table, but the tank drains to 10 kg. Begin the table",
        ),
        (
            lambda: Holder(elements=(Point(name="p", propellant=5, at=[0, 0, 0]),) * 2),
            "elements.p: two mass items of this body have the same name",
        ),
        (lambda: Item(name="i", mass=0, mass_centre=[0, 0, 0]), "mass: 0 kg"),
    ],
)
def test_refused(declare, words):
    with pytest.raises(BadInput) as refusal:
        declare()
    assert words in str(refusal.value)

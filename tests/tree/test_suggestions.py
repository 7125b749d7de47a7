"""Names that are meant by misspelt ones: such as a reader would think of, and no others."""

from __future__ import annotations

import random

import pytest

from interstage.scenario import Scenario
from interstage.tree.similar_names import like, near, slips

TABLES = [*Scenario.model_fields]
MEANT = {
    "titel": ["title"],
    "tile": ["title"],
    "body": ["bodies"],
    "bodis": ["bodies"],
    "jonts": ["joints"],
    "joint": ["joints"],
    "forcs": ["forces"],
    "force": ["forces"],
    "solvr": ["solver"],
    "phase": ["phases"],
    "ouput": ["output"],
    "Bodies": ["bodies"],
    "requirments": ["requirements"],
    "aero": ["aerodynamics"],
    "req": ["requirements"],
}
NOT_MEANT = [
    "notes",
    "id",
    "time",
    "name",
    "timestep",
    "stage",
    "settings",
    "author",
    "payload",
    "results",
    "x",
]


@pytest.mark.parametrize("name", MEANT)
def test_tables_that_are_meant(name):
    assert like(name, TABLES)[:1] == MEANT[name]


@pytest.mark.parametrize("name", NOT_MEANT)
def test_words_that_mean_no_table(name):
    assert like(name, TABLES) == []


@pytest.mark.parametrize(
    ("name", "known", "meant"),
    [
        ("aprt", ["apart", "start", "end"], ["apart"]),
        ("kp", ["ki", "kd"], []),
        ("mx", ["min", "max"], ["max"]),
        ("gird", ["grid", "corners"], ["grid"]),
        ("maximise", ["minimize", "maximize"], ["maximize"]),
        ("spring_3", ["spring_1", "bolt_1", "spring_2"], ["spring_1", "spring_2"]),
        ("tol", ["iterations", "tolerance"], ["tolerance"]),
        ("RK4", ["dop853", "rk4"], ["rk4"]),
        ("lagrange", ["null_space", "lagrange_multiplier"], ["lagrange_multiplier"]),
        ("separation_velocity", ["tip_off_rate", "separation_speed"], ["separation_speed"]),
        ("centre_of_mass", ["mass", "mass_centre", "name"], ["mass_centre", "mass"]),
        ("mass_center", ["mass", "mass_centre"], ["mass_centre"]),
        ("bodies.stage.mas", ["bodies.stage.inertia", "bodies.stage.mass"], ["bodies.stage.mass"]),
        ("", ["a", "b"], []),
    ],
)
def test_names_that_are_meant(name, known, meant):
    assert like(name, known) == meant


def test_slips_are_counted():
    words = {
        ("titel", "title"): 1,
        ("mass", "mas"): 1,
        ("body", "bodies"): 3,
        ("abc", "abc"): 0,
        ("", "ab"): 2,
    }
    for (one, other), count in words.items():
        assert slips(one, other, 9) == slips(other, one, 9) == count
    draw = random.Random(1)
    for _ in range(300):
        one, other = ("".join(draw.choices("abc", k=draw.randrange(7))) for _ in range(2))
        assert slips(one, other, 9) == by_definition(one, other)
        most = draw.randrange(4)
        assert min(slips(one, other, most), most + 1) == min(by_definition(one, other), most + 1)


def by_definition(one: str, other: str) -> int:
    """Optimal string alignment, from the ends of the words."""
    if not one or not other:
        return len(one) + len(other)
    ways = [
        by_definition(one[:-1], other) + 1,
        by_definition(one, other[:-1]) + 1,
        by_definition(one[:-1], other[:-1]) + (one[-1] != other[-1]),
    ]
    if one[-2:] == other[-2:][::-1] and len(one) > 1 and len(other) > 1:
        ways.append(by_definition(one[:-2], other[:-2]) + 1)
    return min(ways)


def test_where_nothing_is_near_all_are_told():
    assert near("notes", ["title", "bodies"], "allowed") == "allowed: title, bodies"

"""Section loads where beams are clamped: by statics, and in what is told as largest along a beam."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from beam_models import arm
from interstage.drawing.table import number
from interstage.parts.beams import diagram, shown
from interstage.reading import load
from interstage.report.summary import tables
from interstage.studies.verify import start_as_declared

PULL = 1e-3
"""So weak that the arm hardly bends: what that moves its weight by is PULL^2 of it."""


def test_the_largest_moment_is_at_the_clamp():
    flight = arm(5, 'start = "at rest"', 0.0, 0.0, pull=PULL).run()
    start = {path: values[0] for path, values in flight.record.series.items()}
    whole = [0.0, 0.5 * PULL, 0.0]  # down by its weight, over half of its metre
    np.testing.assert_allclose(start["forces.arm.at_parent.force"], [0, 0, -PULL], atol=PULL**2)
    np.testing.assert_allclose(start["forces.arm.at_parent.moment"], whole, atol=PULL**2)
    assert start["forces.arm.bending_moment"] == pytest.approx(0.5 * PULL, rel=PULL**2)
    # A quarter of a segment on, before the first one's weight.
    assert start["forces.arm.section_1.moment"][1] == pytest.approx((0.5 - 0.05) * PULL, rel=PULL)
    table = next(one for one in tables(flight.record) if one.key == "section loads")
    assert {row[1]: row[2::2] for row in table.rows}["bending moment [N m]"] == [
        number(PULL / 2),
        "at parent",
    ]
    assert "forces.arm.at_child.moment" not in start


@pytest.mark.parametrize(("matrix", "mean"), [("lumped", 0), ("consistent", 1)])
def test_sections_of_a_cantilever_by_its_weight(matrix, mean):
    """By statics: shear of the place, and its moment or, with consistent mass, the mean along the element."""
    count = 6
    start = start_as_declared(arm(count, f'start = "at rest"\nmass_matrix = "{matrix}"', 0.0, 0.0, pull=PULL))
    long = 1 / count
    place = long * np.arange(1, count)
    loads = [
        [start[f"forces.arm.section_{k + 2}.{name}"] for k in range(count - 1)]
        for name in ("force", "moment")
    ]
    shear, moment = np.array(loads[0])[:, 2], np.array(loads[1])[:, 1]
    np.testing.assert_allclose(shear, -PULL * (1 - place), atol=PULL**2)
    mean_of = (1 - place) ** 2 / 2 + mean * long**2 / 24
    np.testing.assert_allclose(moment, PULL * mean_of, atol=PULL**2)
    assert start["forces.arm.section_1.force"][2] == pytest.approx(-PULL, rel=PULL)
    first = (1 - long / 4) ** 2 / 2 - long**2 / 32
    assert start["forces.arm.section_1.moment"][1] == pytest.approx(PULL * first, rel=PULL)


def test_loads_are_drawn_along_the_beam():
    """A cantilever at rest: its moment and shear by statics, of all instants, and no torque but rounding."""
    count = 4
    record = arm(count, 'start = "at rest"', 0.0, 0.0, pull=PULL).run().record
    (beam,) = record.scenario.forces
    shear, moment = (diagram.along(record, beam, name) for name in ("shear_force", "bending_moment"))
    assert shear is not None
    assert moment is not None
    np.testing.assert_allclose(shear.places, [0, 1 / 16, 1 / 4, 1 / 2, 3 / 4], rtol=1e-15)
    # The first half segment hangs on the section before it.
    np.testing.assert_allclose(shear.values[0, :, 1], -PULL * np.array([1, 1, 0.75, 0.5, 0.25]), atol=PULL**2)
    wanted = PULL * (1 - moment.places) ** 2 / 2
    wanted[1] -= PULL / count**2 / 32
    np.testing.assert_allclose(moment.values[moment.row, :, 0], wanted, atol=PULL**2)
    over_time, along = shown.figures(record, "SI")
    titles = [panel.title for panel in along.panels]
    assert titles[2] == over_time.panels[2].title == "torque"
    assert not along.panels[2].marks
    assert all(panel.marks for panel in (along.panels[1], along.panels[3], over_time.panels[3]))
    (table,) = shown.tables(record, "SI")
    assert [row[2:] for row in table.rows if row[1] == "torque [N m]"] == [["0", "-", "-"]]


@pytest.mark.long
def test_a_force_across_the_end_bends_both_clamps_by_order_two():
    """The elastica of validation/elastica, bent by 82 deg: force times lever arm where it begins, and none
    where it ends."""
    folder, errors = Path(__file__).parents[3] / "validation/elastica", []
    for count in (27, 81):
        start = start_as_declared(load(folder / "scenario.toml", set={"forces.rod.elements": count}))
        first, last = (start[f"forces.rod.{end}.moment"][2] for end in ("at_parent", "at_child"))
        turn = 1.430285540
        force = 10 * np.array([np.sin(turn), np.cos(turn), 0])
        off = start["forces.rod.at_child.force"] - force
        errors.append([first - 10 * 0.445004402461, last, *off[:2]])
    coarse, fine = np.abs(errors)
    # By powers two and three, the latter for the half elements: 0.1 as in the case.
    assert np.log(coarse / fine) / np.log(3) == pytest.approx(2, abs=0.1)

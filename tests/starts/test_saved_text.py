"""A flight starts from a saved flight in whichever form the saved scenario has its groups."""

from __future__ import annotations

import h5py
import pytest

from interstage.reading import loads
from interstage.record import integrity

FLOWN = """
gravity = "none"
output.interval = "0.05 s"
bodies.a = { mass = 1, inertia = [1, 1, 1], initial = { START } }
[phases.fly]
until = { time = "0.1 s" }
"""
FORCE = '\n[forces.push]\nkind = "force"\nbody = "a"\nforce = [1, 0, 0]\n'


@pytest.mark.filterwarnings("ignore")
def test_a_saved_scenario_with_a_table_for_each_force(tmp_path):
    path = tmp_path / "flight.nc"
    loads(FLOWN.replace("START", "velocity = [1, 0, 0]")).run().save(path)
    path.write_bytes(integrity.check_seal(path.read_bytes()).image)
    with h5py.File(path, "r+") as file:
        file.attrs["scenario"] = str(file.attrs["scenario"]) + FORCE
        del file.attrs[integrity.ATTRIBUTE]
    start = 'flight = "flight.nc", time = "0.05 s"'
    flight = loads(FLOWN.replace("START", start), folder=tmp_path).run()
    # 1 m/s from 0.05 m for 0.1 s, without loads: exact to rounding
    assert flight.record.series["bodies.a.position"][-1][0] == pytest.approx(0.15, abs=1e-12)

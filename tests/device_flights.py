"""A short flight with every kind of device that the playback draws."""

from __future__ import annotations

import functools

from interstage.reading import loads
from interstage.record.record import Record

TEXT = """
title = "Devices of all kinds"

[bodies.stage]
mass = "200 kg"
inertia = "[20, 30, 30] kg m^2"
initial = {}

[bodies]
payload = { mass = "50 kg", inertia = "[5, 5, 5] kg m^2" }
slider = { mass = "2 kg", inertia = "[0.1, 0.1, 0.1] kg m^2" }

[bodies.stage.shapes]
tube = { kind = "cylinder", axis = [1, 0, 0], at = "[-1, 0, 0] m", length = "1.5 m", radius = "0.3 m" }
wall = { kind = "box", at = "[0, 0, 1] m", size = "[0.4, 0.4, 0.2] m" }

[joints.ring]
kind = "fixed"
parent = "stage"
child = "payload"
parent_at = "[0.5, 0, 0] m"
child_at = "[-0.5, 0, 0] m"

[joints.guide]
kind = "translational"
axis = "z"
parent = "stage"
child = "slider"
parent_at = "[0, 0, 0.4] m"

[devices.band]
kind = "clamp_band"
joints = ["ring"]
axis = [1, 0, 0]
tension = "10 kN"
radius = "0.3 m"
half_angle = "20 deg"
segments = 8
opening_time = "20 ms"

[devices]
nut = { kind = "explosive_nut", joints = ["ring"] }
dud = { kind = "explosive_bolt", joints = ["ring"], works = 0 }
charge = { kind = "linear_charge", joints = ["ring"] }

[devices.bolt]
kind = "explosive_bolt"
joints = ["ring"]
axis = [1, 0, 0]
at = "[0.5, 0.2, 0] m"
preload = "9 kN"

[devices.late]
kind = "kickoff_spring"
parent = "stage"
child = "payload"
parent_at = "[0.4, 0.1, 0] m"
child_at = "[-0.5, 0.1, 0] m"
preload = "10 N"
stiffness = "10 N/m"
stroke = "0.1 m"
after = "apart"
delay = inf

[devices.push]
kind = "piston"
parent = "stage"
child = "payload"
parent_at = "[0.5, 0, 0.1] m"
child_at = "[-0.5, 0, 0.1] m"
axis = [1, 0, 0]
push = "500 N"
stroke = "0.05 m"
after = "apart"

[forces]
end = { kind = "stop", joint = "guide", axis = "z", upper = "0.2 m", stiffness = "1 kN/m" }
lift = { kind = "force", body = "slider", force = "[0, 0, 20] N" }

[contacts.bump]
body = "slider"
points = "[[0.05, 0.03, 0.28], [5, 5, 5]] m"
against = ["stage.wall"]
stiffness = "1 kN/m"

[phases]
joined = { until = { time = "0.5 s" } }
opening = { fire = ["band", "bolt", "nut", "charge"], until = { time = "0.52 s" } }
apart = { until = { time = "1 s" }, fire = ["dud"] }

[output]
interval = "5 ms"
"""


@functools.cache
def device_record() -> Record:
    """The record; flown once for all tests of a process."""
    return loads(TEXT).run().record

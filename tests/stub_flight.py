"""A flight made by hand: two bodies on a line, joined, released and pushed apart by a spring, in closed form.

For tests of what happens to a flight afterwards (files, tables, plots); no engine is needed to make it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import interstage as ist
from interstage.record.record import EventRecord, QuantityMeta, Record

STAGE, PAYLOAD, STIFFNESS, STROKE = 6000.0, 1000.0, 5000.0, 0.4
RELEASE, END = 10.0, 20.0
XYZ = ("x", "y", "z")
REDUCED = STAGE * PAYLOAD / (STAGE + PAYLOAD)
RATE = np.sqrt(STIFFNESS / REDUCED)
PUSHED = RELEASE + 0.5 * np.pi / RATE
"""The spring, free at the end of its stroke, has done its work after a quarter of its period."""
SPEED = STROKE * RATE
"""Separation speed from energy and momentum: 0.5 REDUCED SPEED^2 = 0.5 STIFFNESS STROKE^2."""

BODY = {
    "position": QuantityMeta("m", "position", "inertial", XYZ, "mass centre"),
    "velocity": QuantityMeta("m/s", "velocity", "inertial", XYZ, "mass centre"),
    "attitude": QuantityMeta("1", "attitude", "body to inertial", ("0", "1", "2", "3")),
    "angular_velocity": QuantityMeta("rad/s", "angular velocity", "body", XYZ),
    "mass": QuantityMeta("kg", "mass"),
}
META = {
    **{f"bodies.{body}.{name}": meta for body in ("stage", "payload") for name, meta in BODY.items()},
    "joints.clamp.force": QuantityMeta("N", "force on the child", "stage joint frame", XYZ, "joint point"),
    "joints.clamp.torque": QuantityMeta(
        "N m", "torque on the child", "stage joint frame", XYZ, "joint point"
    ),
    "joints.clamp.violation": QuantityMeta("1", "constraint violation"),
    "joints.clamp.active": QuantityMeta("1", "active"),
    "devices.spring.force": QuantityMeta("N", "force"),
    "devices.spring.stroke": QuantityMeta("m", "stroke used"),
    "devices.spring.state": QuantityMeta("1", "state"),
    "pairs.stage.payload.distance": QuantityMeta("m", "distance of mass centres"),
    "pairs.stage.payload.relative_velocity": QuantityMeta("m/s", "relative velocity", "stage axes", XYZ),
    "pairs.stage.payload.relative_speed": QuantityMeta("m/s", "relative speed"),
    "pairs.stage.payload.separation_speed": QuantityMeta("m/s", "separation speed"),
    "pairs.stage.payload.closing_speed": QuantityMeta("m/s", "closing speed"),
    "pairs.stage.payload.relative_rate": QuantityMeta("rad/s", "relative rate", "payload axes", XYZ),
    "pairs.stage.payload.tip_off_rate": QuantityMeta("rad/s", "tip-off rate"),
    "system.momentum": QuantityMeta("kg m/s", "momentum", "inertial", XYZ),
    "system.energy": QuantityMeta("J", "energy"),
}


def _states(time: np.ndarray, joined: np.ndarray, spent: np.ndarray) -> dict[str, np.ndarray]:
    pushing = np.clip(time - RELEASE, 0.0, PUSHED - RELEASE)
    gap = STROKE * (1 - np.cos(RATE * pushing)) + SPEED * np.clip(time - PUSHED, 0.0, None)
    speed = STROKE * RATE * np.sin(RATE * pushing)
    push = np.where(joined | spent, 0.0, STIFFNESS * STROKE * np.cos(RATE * pushing))
    along = np.array([0.0, 1.0, 0.0])
    ones, zeros = np.ones_like(time), np.zeros((len(time), 3))
    series = {
        "joints.clamp.active": joined.astype(float),
        "devices.spring.force": push,
        "devices.spring.stroke": gap,
        "devices.spring.state": np.where(spent, 0.0, 1.0),
    }
    for name, share, mass in (("stage", -PAYLOAD, STAGE), ("payload", STAGE, PAYLOAD)):
        share /= STAGE + PAYLOAD
        place = {"stage": 0.0, "payload": 5.8}[name]
        body = f"bodies.{name}."
        series |= {
            body + "position": np.outer(place + share * gap, along),
            body + "velocity": np.outer(share * speed, along),
            body + "attitude": np.tile([1.0, 0, 0, 0], (len(time), 1)),
            body + "angular_velocity": zeros,
            body + "mass": mass * ones,
        }
    load = np.where(joined, -STIFFNESS * STROKE, 0.0)
    pair = "pairs.stage.payload."
    series |= {
        "joints.clamp.force": np.outer(load, along),
        "joints.clamp.torque": np.outer(0.1 * load, [1.0, 0, 0]),
        "joints.clamp.violation": np.where(joined, 1e-15, 0.0),
        pair + "distance": 5.8 + gap,
        pair + "relative_velocity": np.outer(speed, along),
        pair + "relative_speed": speed,
        pair + "separation_speed": speed,
        pair + "closing_speed": -speed,
        pair + "relative_rate": np.outer(0.001 * speed, [1.0, 0, 0]),
        pair + "tip_off_rate": 0.001 * speed,
        "system.momentum": zeros + 1e-13 * speed[:, None],
        "system.energy": 0.5 * STIFFNESS * STROKE**2 * (1 + 1e-13 * speed),
    }
    return {path: series[path] for path in META}


def separation_record(scenario: ist.Scenario | None = None, samples: int = 201) -> Record:
    """The stub as a record; `scenario` stands in for the real one."""
    time = np.linspace(0.0, END, samples)
    events = [
        EventRecord("joined", 0.0, "start", "joined"),
        EventRecord("apart", RELEASE, "release clamp", "apart"),
        EventRecord("spring.spent", PUSHED, "stroke", "apart"),
    ]
    at = np.array([event.time for event in events])
    return Record(
        scenario=scenario or stub_scenario(),
        time=time,
        series=_states(time, time < RELEASE, time >= PUSHED),
        events=events,
        before=_states(at, at <= RELEASE, at > PUSHED),
        after=_states(at, at < RELEASE, at >= PUSHED),
        meta=dict(META),
        statistics={"steps": 37, "rejected": 2, "wall_time": 0.012},
        corrections=[],
        warnings=["The inertia of 'stage' breaks the triangle inequality (allowed by the scenario)."],
        outcome="Reached the end of its last phase at 20 s.",
        completed=True,
        phases=[("joined", 0.0, RELEASE), ("apart", RELEASE, END)],
        restart={
            "time": at,
            "discrete.fired": np.eye(3, dtype=bool),
            "reference.turn": np.eye(3)[:, :, None],
        },
    )


def measured_record(scenario: ist.Scenario | None = None) -> Record:
    """The flight made by hand with what a comparison asks for besides."""
    record = separation_record(scenario)
    record.statistics = {"steps accepted": 30, "steps rejected": 10, "stepping time [s]": 0.004}
    for what, unit, size in (("gap", "m", 1e-9), ("misalignment", "rad", 0.0)):
        path = f"joints.clamp.{what}"
        record.meta[path] = QuantityMeta(unit, what)
        for values in (record.series, record.before, record.after):
            values[path] = size * values["joints.clamp.active"]
    return record


def stub_scenario(**changes: Any) -> ist.Scenario:
    """What the results need of a scenario: a title, units, what conserves what; no bodies and no phases."""
    ends: dict[str, Any] = {"parent": "stage", "child": "payload"}
    spring = ist.KickoffSpring(name="spring", **ends, stroke=STROKE, stiffness=STIFFNESS, free_length=1.0)
    known: dict[str, Any] = {
        "title": "Stub separation",
        "output": ist.Output(interval=0.5),
        "joints": (ist.Joint(name="clamp", kind="fixed", **ends),),
        "devices": (spring,),
    }
    return ist.Scenario(**known | changes)

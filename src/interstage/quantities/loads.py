"""Quantities of springs and given loads."""

from __future__ import annotations

from typing import Any

from ..frame_springs import FrameSprings
from ..model.force import Force, Torque, TorsionSpring
from ..model.springs import LineState
from ..record import QuantityMeta
from .quantity import Moment, Quantity, scalar_quantity, vector_quantity


def spring_quantities(k: int) -> dict[str, Quantity]:
    """Quantities of spring k along a line."""
    return {
        "force": scalar_quantity("N", "force (positive pushes apart)", lambda m: m.now.loads.tension[k]),
        "length": scalar_quantity("m", "length", lambda m: spring_line(m).length[k]),
        "rate": scalar_quantity("m/s", "rate of the length", lambda m: spring_line(m).rate[k]),
    }


def torsion_quantities(spring: TorsionSpring) -> dict[str, Quantity]:
    """Quantities of a spring about axes."""
    name, turns = spring.name, len(spring.sequence.split("-"))
    angles = QuantityMeta("rad", "angles of the sequence", "", tuple(str(n) for n in range(1, 1 + turns)))
    return {
        "torque": vector_quantity(
            "N m", f"torque on {spring.child}", "inertial", "", lambda m: m.now.loads.torsion[name][0]
        ),
        "angle": Quantity(angles, lambda m: m.now.loads.torsion[name][1].angle),
    }


def stop_quantities(k: int, stop: Any) -> dict[str, Quantity]:
    """Quantities of stop k of a joint."""
    load, unit = ("force", "N") if stop.kind == "stop" else ("torque", "N m")
    way, of = ("displacement", "m") if stop.kind == "stop" else ("rotation", "rad")
    energy = scalar_quantity("J", "energy stored", lambda m: m.now.loads.stops.energy[k])
    return {
        load: scalar_quantity(unit, f"{load} on the child of the joint", lambda m: m.now.loads.stops.push[k]),
        way: scalar_quantity(of, f"{way} that it bounds", lambda m: m.now.loads.stops.travel[k]),
        "energy": energy,
    }


def frame_spring_quantities(k: int, spring: Any) -> dict[str, Quantity]:
    """Quantities of bushing or beam k."""
    axes, at = f"{spring.parent}'s spring frame", f"{spring.child}'s point"
    deflection = lambda m: framed(m).deflections[k]  # noqa: E731
    load = lambda m: framed(m).loads[k]  # noqa: E731
    return {
        "force": vector_quantity("N", f"force on {spring.child}", axes, at, lambda m: load(m).force),
        "torque": vector_quantity("N m", f"torque on {spring.child}", axes, at, lambda m: load(m).torque),
        "displacement": vector_quantity(
            "m", "displacement of the child's point", axes, at, lambda m: deflection(m).displacement
        ),
        "rotation": vector_quantity(
            "rad", "rotation vector of the child's frame", axes, "", lambda m: deflection(m).turn
        ),
        "energy": scalar_quantity("J", "energy stored", lambda m: load(m).energy),
    }


def framed(m: Moment) -> FrameSprings:
    """The bushings and beams, of which there are some."""
    assert m.now.loads.frame_springs is not None
    return m.now.loads.frame_springs


def load_quantities(load: Force | Torque) -> dict[str, Quantity]:
    """Quantities of a given force or torque."""
    name, body, at = load.name, load.body, "mass centre"
    return {
        "force": vector_quantity(
            "N", f"force on {body}", "inertial", at, lambda m: m.now.loads.named[name][0]
        ),
        "torque": vector_quantity(
            "N m", f"torque on {body}", f"{body} structure axes", at, lambda m: m.now.loads.named[name][1]
        ),
    }


def spring_line(m: Moment) -> LineState:
    """Lines of the springs, of which there are some."""
    assert m.now.loads.spring_line is not None
    return m.now.loads.spring_line

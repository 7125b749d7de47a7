"""Quantities of springs and given loads."""

from __future__ import annotations

from typing import Any

from ..engine.here import Here
from ..engine.quantity import Quantity, scalar_quantity, vector_quantity
from ..maths.arrays import jnp
from ..maths.vectors import norm
from ..model.force import Force, Torque, TorsionSpring
from ..parts.bushings.flown import FrameSprings
from ..parts.springs.law import LineState
from ..record.record import QuantityMeta


def spring_quantities(k: int) -> dict[str, Quantity]:
    """Quantities of spring k along a line."""
    return {
        "force": scalar_quantity("N", "force (positive pushes apart)", lambda m: m["springs"].tension[k]),
        "length": scalar_quantity("m", "length", lambda m: spring_line(m).length[k]),
        "rate": scalar_quantity("m/s", "rate of the length", lambda m: spring_line(m).rate[k]),
    }


def torsion_quantities(spring: TorsionSpring) -> dict[str, Quantity]:
    """Quantities of a spring about axes."""
    name, turns = spring.name, len(spring.sequence.split("-"))
    angles = QuantityMeta("rad", "angles of the sequence", "", tuple(str(n) for n in range(1, 1 + turns)))
    return {
        "torque": vector_quantity(
            "N m", f"torque on {spring.child}", "inertial", "", lambda m: m["torsion"][name][0]
        ),
        "angle": Quantity(angles, lambda m: m["torsion"][name][1].angle),
    }


def stop_quantities(k: int, stop: Any) -> dict[str, Quantity]:
    """Quantities of stop k of a joint."""
    load, unit = ("force", "N") if stop.kind == "stop" else ("torque", "N m")
    way, of = ("displacement", "m") if stop.kind == "stop" else ("rotation", "rad")
    energy = scalar_quantity("J", "energy stored", lambda m: m["stops"].energy[k])
    return {
        load: scalar_quantity(unit, f"{load} on the child of the joint", lambda m: m["stops"].push[k]),
        way: scalar_quantity(of, f"{way} that it bounds", lambda m: m["stops"].travel[k]),
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


def drag_quantities(n: int, device: Any) -> dict[str, Quantity]:
    """Quantities of drag device n."""
    body, at = device.body, "its point"
    pull = lambda m: m["drag"][n]  # noqa: E731
    return {
        "force": vector_quantity("N", f"force on {body}", "inertial", at, lambda m: pull(m).force),
        "torque": vector_quantity(
            "N m", f"torque on {body}", f"{body} structure axes", "mass centre", lambda m: pull(m).torque
        ),
        "tension": scalar_quantity("N", "force of its line", lambda m: norm(pull(m).force), at),
        "drag_area": scalar_quantity("m^2", "drag area", lambda m: pull(m).area),
        "airspeed": scalar_quantity("m/s", "airspeed", lambda m: pull(m).airspeed, at),
        "state": scalar_quantity("1", "state (1 in the air, 0 not)", lambda m: _out(pull(m).area)),
    }


def _out(area):
    return jnp.where(area > 0, 1.0, 0.0)


def framed(m: Here) -> FrameSprings:
    """The bushings and beams, of which there are some."""
    return m["bushings"]


def load_quantities(load: Force | Torque) -> dict[str, Quantity]:
    """Quantities of a given force or torque."""
    name, body, at = load.name, load.body, "mass centre"
    return {
        "force": vector_quantity("N", f"force on {body}", "inertial", at, lambda m: m["given"][name][0]),
        "torque": vector_quantity(
            "N m", f"torque on {body}", f"{body} structure axes", at, lambda m: m["given"][name][1]
        ),
    }


def spring_line(m: Here) -> LineState:
    """Lines of the springs, of which there are some."""
    return m["springs"].line

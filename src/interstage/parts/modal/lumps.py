"""Whether the masses that are lumped at points are those of the body, and the modes those of such masses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...maths.vectors import cross, norm
from .levels import Fault, Level
from .weighed import Weighed

FIT = 1e-2
"""Part by which sums over lumped masses may miss: they leave the rotary inertia of the lumps out."""
MISSING = 0.5
"""Part of the body's inertia below which that of the lumps is remarked: in a stack of disks, their own rotary
inertia is the other half where the stack is shorter than it is wide, which is no body that bends."""


def known(level: Level) -> bool:
    """Whether all points of a level have masses."""
    return bool(level.points) and all(point.mass is not None for point in level.points)


def _of(level: Level) -> tuple[np.ndarray, np.ndarray]:
    """Masses (point) [kg] and places (3, point) [m]."""
    return np.array([p.mass for p in level.points], float), np.array([p.at for p in level.points], float).T


def faults(name: str, level: Level, body: Weighed, near: float) -> Iterator[Fault]:
    """What is wrong with masses of points and modes at a level of the body called `name`. near: a distance
    [m] that does not count."""
    mass, at = _of(level)
    total = float(mass.sum())
    if abs(total - body.mass) > FIT * body.mass:
        text = f"their masses add up to {total:.6g} kg, and '{name}' has {body.mass:.6g} kg"
        yield Fault("points", "mass", text, "give the masses of this body, or leave them out")
        return
    centre, _ = about_their_centre(mass, at)
    if body.sure:
        misplaced = [*_placed(level, body, near)]
        yield from misplaced
        if misplaced:
            return
        centre = np.asarray(body.centre)
    yield from _moving(level, mass, at - centre[:, None], body.mass)
    yield from _not_orthogonal(level, mass)


def doubts(level: Level, body: Weighed, near: float) -> Iterator[Fault]:
    """What may be wrong with masses of points at a level, and need not be: a part of the inertia that is not
    in them, and, where several tanks hold nobody knows how much each, another mass centre. near: a distance
    [m] that does not count."""
    mass, at = _of(level)
    if body.sure:
        yield from _light(mass, at, body.inertia)
    elif body.centre is not None:
        way = "like parts of each tank" if body.alike else "drained as its engines draw"
        for fault in _placed(level, body, near):
            yield fault._replace(text=f"{way}, {fault.text}", remedy="see whether both are one body.")


def _placed(level: Level, body: Weighed, near: float) -> Iterator[Fault]:
    """What is wrong where lumps cannot be those of a body."""
    mass, at = _of(level)
    middle, own = about_their_centre(mass, at)
    tanks = "" if level.propellant is None else " and tanks"
    off = float(np.linalg.norm(middle - body.centre))
    if off > max(FIT * np.sqrt(np.trace(own) / (2 * mass.sum())), near):
        text = f"the centre of their masses is at {_place(middle)}, {off:.3g} m from that of the body at"
        remedy = f"give the masses, or the mass centre{tanks}, of this body, or leave them out"
        yield Fault("points", "centre", f"{text} {_place(body.centre)}", remedy)
        return
    # What lumps leave out, the rotary inertia of each, adds to the inertia about every axis.
    left, axes = np.linalg.eigh(body.inertia - own)
    if left[0] < -FIT * np.linalg.norm(own, 2):
        axis = axes[:, 0]
        theirs, whole = axis @ own @ axis, axis @ body.inertia @ axis
        text = f"their masses alone have {theirs:.6g} kg m^2 about {_axis(axis)} through the mass centre, and"
        remedy = f"give the masses, or the inertia{tanks}, of this body, or leave them out"
        yield Fault("points", "inertia", f"{text} the body {whole:.6g} kg m^2", remedy)


def _moving(level: Level, mass: np.ndarray, arm: np.ndarray, whole: float) -> Iterator[Fault]:
    """Modes that are none of the free body, whose mass is `whole` [kg]; arm (3, point) [m]: of the points
    from its mass centre."""
    shapes = np.array([point.shape for point in level.points], float)  # (point, mode, 3)
    size = float(np.sqrt(np.sum(mass * arm**2) / whole))
    given = np.broadcast_to(np.asarray(level.mass, float), shapes.shape[1])
    for n, own in enumerate(given):
        shape = shapes[:, n].T
        scale = np.sqrt(whole * own)
        moved, turned = np.sum(mass * shape, 1), np.sum(mass * cross(arm, shape), 1)
        for what, left in (
            ("moves the mass centre", moved),
            ("has angular momentum", turned / max(size, 1e-300)),
        ):
            if norm(left) > FIT * scale:
                text = f"mode {n + 1} {what} by {norm(left) / scale:.2g} of its size"
                remedy = "modes are to be those of the free body, without its rigid motion"
                yield Fault("points", f"{what} {n}", text, remedy)


def _not_orthogonal(level: Level, mass: np.ndarray) -> Iterator[Fault]:
    """Modes that are not orthogonal to each other, or have other generalized masses."""
    shapes = np.array([point.shape for point in level.points], float)
    count = shapes.shape[1]
    given = np.broadcast_to(np.asarray(level.mass, float), (count,))
    product = np.einsum("p,pik,pjk->ij", mass, shapes, shapes)
    for i in range(count):
        for j in range(i, count):
            wanted = given[i] if i == j else 0.0
            if abs(product[i, j] - wanted) > FIT * np.sqrt(given[i] * given[j]):
                which = f"mode {i + 1}" if i == j else f"modes {i + 1} and {j + 1}"
                text = f"{which}: masses times shapes give {product[i, j]:.4g} kg where {wanted:.4g} kg is"
                text = f"{text} the generalized mass"
                remedy = "give that of these shapes" if i == j else "modes are to be orthogonal to each other"
                yield Fault("mass", f"product {i} {j}", text, remedy)


def _light(mass: np.ndarray, at: np.ndarray, inertia: Any) -> Iterator[Fault]:
    """What is said of lumps that have less than half the inertia of the body about an axis across them."""
    _, own = about_their_centre(mass, at)
    moments, axes = np.linalg.eigh(own)
    across = np.flatnonzero(moments > FIT * moments[-1])  # not the line that they may stand in
    parts = [moments[k] / (axes[:, k] @ inertia @ axes[:, k]) for k in across]
    if parts and min(parts) < MISSING:
        k = int(np.argmin(parts))
        text = f"the masses of its points have {parts[k]:.2g} of the body's inertia about"
        remedy = "the rest would be that of each lump about its own centre. See whether they are masses of"
        yield Fault("", "light", f"{text} {_axis(axes[:, across[k]])}", f"{remedy} this body.")


def about_their_centre(mass: Any, at: Any) -> tuple[np.ndarray, np.ndarray]:
    """(centre [m] (3,), inertia about it [kg m^2] (3, 3)) of masses (point) [kg] at places (3, point) [m]."""
    centre = at @ mass / mass.sum()
    arm = at - centre[:, None]
    return centre, np.sum(mass * arm**2) * np.eye(3) - (mass * arm) @ arm.T


def _place(at: Any) -> str:
    return "[{}] m".format(", ".join(f"{value:.4g}" for value in np.round(at, 9) + 0.0))


def _axis(axis: Any) -> str:
    k = int(np.argmax(np.abs(axis)))
    if abs(axis[k]) > 1 - FIT:
        return "xyz"[k]
    return "[{}]".format(", ".join(f"{value:.3g}" for value in np.round(axis, 3) + 0.0))

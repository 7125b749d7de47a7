"""Check the arguments that a host program passes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..model.inertia import INERTIA_ROUNDING, fault, principal
from ..model.joint import Joint
from ..tree.declaration import Declaration
from ..tree.errors import BadInput, Problem
from ..tree.names import GROUND
from ..tree.similar_names import near

AXES = {3: "xyz", 4: ("scalar part", "x", "y", "z")}


def array(name: str, value: Any, shape: tuple[int, ...], bodies: Sequence[str]) -> np.ndarray:
    """Return the argument `name` as an array of floats with the given shape. Raises BadInput if `value` is
    not such an array.

    bodies: names of the bodies for the message.
    """
    if type(value) is np.ndarray and value.dtype == np.float64 and value.shape == shape:
        return value
    kind = value.dtype.kind if isinstance(value, np.ndarray) else ""
    if kind in ("c", "U", "S") or isinstance(value, np.ma.MaskedArray):
        said = "masked" if kind not in ("c", "U", "S") else "complex" if kind == "c" else "a text"
        raise BadInput(Problem(name, f"the array is {said}. Give an array of real numbers"))
    try:
        found = np.asarray(value, float)
    except (TypeError, ValueError) as error:
        raise BadInput(
            Problem(name, f"the value is not an array of numbers ({error}). Give an array of real numbers")
        ) from None
    if found.shape == shape:
        return found
    columns = f"with one column for each body ({', '.join(bodies)})"
    lanes = f" and {shape[-1]} cases as last axis" if len(shape) > 1 + len(_axes(name)) else ""
    raise BadInput(
        Problem(name, f"the array has the shape {found.shape}. Give the shape {shape}, {columns}{lanes}")
    )


def _axes(name: str) -> tuple[int, ...]:
    """Axes before the axis of the bodies."""
    return {"mass": (), "inertia": (3, 3), "quaternion": (4,)}.get(name, (3,))


def refuse_unusable(arrays: dict[str, np.ndarray], bodies: Sequence[str]) -> None:
    """Reject arrays with values that are not finite, and quaternions of length zero. Raises BadInput for the
    first such value.

    arrays: arrays by argument name; the axis of the bodies follows the component axes.
    """
    for name, found in arrays.items():
        wrong = np.argwhere(~np.isfinite(found))
        if len(wrong):
            place = tuple(map(int, wrong[0]))
            lead = len(_axes(name))
            axis = "".join(f" {AXES[found.shape[0]][k]}" for k in place[:lead])
            axis = f" at{axis} of" if axis else " for"
            lane = f" in case {place[lead + 1]}" if len(place) > lead + 1 else ""
            said = f"the value is {found[place]}{axis} body '{bodies[place[lead]]}'{lane}"
            raise BadInput(
                Problem(name, f"{said}. Give finite numbers. Check the earlier states of the host simulator")
            )
    lengths = np.sum(arrays["quaternion"] ** 2, 0) if "quaternion" in arrays else np.ones(1)
    for place in np.argwhere(lengths == 0)[:1]:
        text = (
            f"the quaternion of body '{bodies[place[0]]}' is zero. Give a quaternion of length 1,"
            " scalar first"
        )
        raise BadInput(Problem("quaternion", text))


def refuse_doubtful_names(bodies: Sequence[str], joints: Sequence[Joint]) -> None:
    """Reject empty lists, repeated or reserved names, joints to unknown bodies, and rods without a length.
    Raises BadInput.
    """
    problems = []
    for what, names in (("bodies", list(bodies)), ("joints", [joint.name for joint in joints])):
        twice = sorted({name for name in names if names.count(name) > 1})
        problems += [
            Problem(what, f"'{name}' is listed twice. Give each item a different name") for name in twice
        ]
    if not bodies or not joints:
        problems.append(
            Problem("bodies" if not bodies else "joints", "the list is empty. Give at least one item")
        )
    if GROUND in bodies:
        problems.append(
            Problem("bodies", f"'{GROUND}' is reserved for the inertial frame. Give the body another name")
        )
    for joint in joints:
        for end, allowed in (("parent", (*bodies, GROUND)), ("child", tuple(bodies))):
            name = getattr(joint, end)
            if name not in allowed:
                hint = near(name, allowed, "bodies here")
                problems.append(Problem(f"joints.{joint.name}.{end}", f"there is no body '{name}'; {hint}"))
        if joint.parent == joint.child:
            problems.append(
                Problem(
                    f"joints.{joint.name}",
                    f"parent and child are both '{joint.child}'. Give two different bodies",
                )
            )
        if joint.kind == "rod" and joint.length is None:
            text = (
                "the length of the rod is missing. In a co-simulation, the length is not computed from "
                "initial positions. Set 'length'"
            )
            problems.append(Problem(f"joints.{joint.name}.length", text))
    if problems:
        raise BadInput(problems)


def as_tuple(name: str, given: Any, kind: type, like: str) -> tuple[Any, ...]:
    """Return a list argument as a tuple. Raises BadInput if an item is not of type `kind`.

    name, like: name of the argument and an example, for the message.
    """
    many = isinstance(given, Iterable) and not isinstance(given, (str, dict, Declaration))
    found = tuple(given) if many else ()
    wrong = [each for each in found if not isinstance(each, kind)] if many else [given]
    if wrong:
        said = f"the {'list has' if many else 'argument is'} a value of type {type(wrong[0]).__name__}"
        raise BadInput(Problem(name, f"{said}. Give a list, for example {like}"))
    return found


def refuse_massless(
    mass: np.ndarray, inertia: np.ndarray, bodies: Sequence[str], unphysical: bool = False
) -> None:
    """Reject masses and inertias that are not positive, and unsymmetric inertias. Raises BadInput.

    Inertias that violate the triangle inequality are also rejected, if `unphysical` is false. mass [kg]
    (body, *cases), inertia [kg m^2] (3, 3, body, *cases).
    """
    for k, body in enumerate(bodies):
        least = float(np.min(mass[k]))
        if not least > 0:
            raise BadInput(
                Problem("mass", f"the mass of body '{body}' is {least:g} kg. Give a value above 0")
            )
        tensors = np.moveaxis(inertia[:, :, k], (0, 1), (-2, -1))
        size = np.abs(tensors).max()
        if not np.abs(tensors - np.swapaxes(tensors, -1, -2)).max() <= 1e-9 * size:
            text = (
                f"the inertia of body '{body}' is not symmetric. Give each product of inertia"
                " twice, with the same sign"
            )
            raise BadInput(Problem("inertia", text))
        moments = principal(inertia[:, :, k])
        least = float(moments.min())
        if not least > 1e-12 * size:
            text = (
                f"the inertia of body '{body}' has the principal moment {least:g} kg m^2. Give"
                " moments above 0"
            )
            raise BadInput(Problem("inertia", text))
        found = None if unphysical else fault(moments, INERTIA_ROUNDING * size)
        if found is not None:
            remedy = "Correct the moments, or set allow_unphysical_inertia = true"
            raise BadInput(Problem("inertia", f"the inertia of body '{body}': {found[1]}. {remedy}"))


def refuse_number(name: str, value: Any, least: float) -> None:
    """Reject `value` if it is not a finite number of at least `least`. Raises BadInput."""
    if not (_number(value) and least <= value < math.inf):
        allowed = "of at least 0" if least == 0 else "above 0"
        raise BadInput(Problem(name, f"{value!r} is not allowed. Give a number {allowed}"))


def _number(value: Any) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)


def count(name: str, value: Any) -> int:
    """Return `value` as an integer. Raises BadInput if it is not a whole number of at least 1."""
    if not (isinstance(value, (int, np.integer)) and not isinstance(value, bool) and value >= 1):
        raise BadInput(
            Problem(
                name, f"{value!r} is not allowed. Give a whole number of at least 1, or None for one case"
            )
        )
    return int(value)


def refuse_time(time: Any, before: float = -math.inf) -> None:
    """Reject a time [s] that is not finite, or that is smaller than `before` [s]. Raises BadInput."""
    if not (_number(time) and math.isfinite(time)):
        raise BadInput(Problem("time", f"the time is {time!r}. Give a finite number of seconds"))
    if time < before:
        text = f"the time decreases from {before:.9g} s to {time:.9g} s, but released joints stay released"
        raise BadInput(Problem("time", f"{text}. Give a later time, or call restart for another run"))

"""Convert a scenario to a multibody system of rigid bodies and joints with symbols.

Only the declarations of the scenario are used, not the simulation code. The comparison with the simulation is
therefore independent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...environment.gravity import UniformGravity
from ...model.effect import Effect
from ...model.flexible import FlexibleBody
from ...tree.errors import BadInput, Problem
from .algebra import Names, written
from .naming import Naming

AXES = "xyz"
GROUND = "ground"
SLIDES = {
    "fixed": lambda joint: "",
    "revolute": lambda joint: "",
    "universal": lambda joint: "",
    "spherical": lambda joint: "",
    "translational": lambda joint: joint.free_axis,
    "cylindrical": lambda joint: joint.free_axis,
    "planar": lambda joint: AXES.replace(joint.free_axis, ""),
    "generalized": lambda joint: "".join(axis for axis in AXES if f"t{axis}" not in joint.locked),
}
"""For each kind of joint, a function of the joint that returns the letters of its sliding axes. The axes are
in the joint frame of the parent.
"""


@dataclass(frozen=True)
class Rate:
    """An independent velocity of the symbolic equations.

    - symbol: symbol of the velocity.
    - path: path of the velocity, as in `interstage linearize`.
    - unit: SI unit of the velocity.
    """

    symbol: str
    path: str
    unit: str


@dataclass(frozen=True)
class Hold:
    """Joint that carries a body. Arrays contain symbols and numbers; see `Algebra.elements`.

    - `inner`: index of the carrying body; -1 for the ground.
    - `outward`: whether the carried body is the child of the joint.
    - `inner_arm`, `own_arm` (3,): vector from the centre of mass to the joint point, for the carrying and the
      carried body, each in body axes.
    - `frames` (3, 3): joint frame in the axes of the parent, and in the axes of the child.
    - `slides`: indices of the sliding axes in the parent frame, with their symbols.
    - `angles`: rotations from the parent frame to the child frame, in order: (axis, cosine, sine, rate). The
      rate is empty for a constant rotation.
    - `turn`: the four quaternion symbols of a spherical joint, or empty.
    """

    inner: int
    outward: bool
    inner_arm: np.ndarray
    own_arm: np.ndarray
    frames: tuple[np.ndarray, np.ndarray]
    slides: tuple[tuple[int, str], ...]
    angles: tuple[tuple[int, str, str, str], ...]
    turn: tuple[str, ...]


@dataclass(frozen=True)
class Hung:
    """A body of the symbolic equations.

    - `body`, `word`: name of the body, and its short form in symbol names.
    - `mass`, `inertia` (3, 3): symbols of the mass and of the inertia about the centre of mass in body axes.
    - `rates`: indices of the rates of this body.
    - `hold`: joint that carries the body. None for the root body of a flying tree, which no joint carries.
    - `cosines`: for the root body of a flying tree, the prefix of its direction cosines; otherwise empty.
    """

    body: str
    word: str
    mass: str
    inertia: np.ndarray
    rates: slice
    hold: Hold | None
    cosines: str


@dataclass(frozen=True)
class Machine:
    """Multibody system: bodies and joints of a scenario, with symbols.

    - hung: bodies. Each body comes after the body that carries it.
    - rates: independent velocities of the equations.
    - places: path of the coordinate of each symbol.
    - gravity (3,): symbols of the gravitational acceleration in inertial axes.
    - names: names of the symbols.
    """

    hung: tuple[Hung, ...]
    rates: tuple[Rate, ...]
    places: dict[str, str]
    gravity: np.ndarray
    names: Names


def machine(scenario: Any) -> Machine:
    """Return the multibody system of a scenario at its start, with symbols. Raises BadInput with all
    problems.
    """
    joints = [joint for joint in scenario.joints if joint.active]
    problems = [*_scenario_problems(scenario, joints)]
    order = _order(scenario, joints, problems)
    if problems:
        raise BadInput(problems)
    naming = Naming(scenario)
    _Reader(scenario, naming).read(order)
    naming.settle()
    return _Reader(scenario, naming).read(order)


def _scenario_problems(scenario: Any, joints: Sequence[Any]) -> Iterator[Problem]:
    """Problems of a scenario that these equations do not support."""
    if scenario.legs:
        yield Problem("legs", "symbolic equations need a scenario without legs. Use the scenario of one leg")
    if scenario.coordinates != "rigid":
        yield Problem(
            "coordinates",
            f'coordinates = "{scenario.coordinates}" is not supported. Symbolic equations need "rigid"',
        )
    yield from _not_rigid(scenario)
    for body in scenario.bodies:
        if body.elements:
            text = (
                f"body '{body.name}' has masses that change or move, but symbolic equations need rigid bodies"
            )
            text = f"{text}. Remove the mass items"
            yield Problem(f"bodies.{body.name}.elements", text)
        if not float(body.mass) > 0:
            text = f"the mass of body '{body.name}' is zero. Symbolic equations need a mass above zero"
            yield Problem(f"bodies.{body.name}.mass", text)
    for joint in joints:
        if joint.kind not in SLIDES:
            text = f"a {joint.kind} joint has no coordinates. Use one of {', '.join(SLIDES)}"
            yield Problem(f"joints.{joint.name}.kind", text)
        elif joint.driven is not None:
            text = f"joint '{joint.name}' has a prescribed motion, but symbolic equations need free joints"
            text = f"{text}. Remove driven"
            yield Problem(f"joints.{joint.name}.driven", text)


def _not_rigid(scenario: Any) -> Iterator[Problem]:
    """Models with mass outside the bodies, or that make bodies flexible."""
    for name in type(scenario).model_fields:
        group = getattr(scenario, name)
        for one in group if isinstance(group, tuple) else ():
            if not isinstance(one, Effect):
                continue
            if isinstance(one, FlexibleBody):
                text = f"{one.name} makes a body flexible, but symbolic equations need rigid bodies"
                text = f"{text}. Remove {one.name}, or use interstage linearize"
                yield Problem(f"{name}.{one.name}", text)
            elif one.weighs:
                text = f"{one.name} has moving mass, but symbolic equations are only for rigid bodies"
                text = f"{text}. Remove {one.name}, or use interstage linearize"
                yield Problem(f"{name}.{one.name}", text)


def _order(scenario: Any, joints: Sequence[Any], problems: list[Problem]) -> list[tuple[str, Any, str]]:
    """(body, joint that carries it, inner body) with each inner body first: the ground is a root, then the
    first body of each tree. Adds joints that close loops to problems."""
    near: dict[str, list[tuple[Any, str]]] = {GROUND: [], **{body.name: [] for body in scenario.bodies}}
    for joint in joints:
        near[joint.parent].append((joint, joint.child))
        near[joint.child].append((joint, joint.parent))
    found: list[tuple[str, Any, str]] = []
    used, seen = set(), set()
    for root in near:
        if root in seen:
            continue
        seen.add(root)
        queue = [root]
        found += [(root, None, "")] if root != GROUND else []
        for here in queue:
            for joint, other in near[here]:
                if other not in seen:
                    seen.add(other)
                    used.add(joint.name)
                    found.append((other, joint, here))
                    queue.append(other)
    text = "the joint closes a loop. Symbolic equations need a tree of joints. Remove this joint"
    problems += [Problem(f"joints.{joint.name}", text) for joint in joints if joint.name not in used]
    return found


class _Reader:
    """Reads bodies and joints, and gives them their symbols."""

    def __init__(self, scenario: Any, naming: Naming):
        self.scenario, self.naming, self.names = scenario, naming, Names()
        self.bodies = {body.name: body for body in scenario.bodies}
        self.rates: list[Rate] = []
        self.places: dict[str, str] = {}

    def read(self, order: Sequence[tuple[str, Any, str]]) -> Machine:
        numbers = {name: k for k, (name, _, _) in enumerate(order)} | {GROUND: -1}
        hung = tuple(self._child(name, joint, numbers.get(inner)) for name, joint, inner in order)
        gravity = np.zeros(3, object)
        if isinstance(self.scenario.gravity, UniformGravity):
            pull = np.asarray(self.scenario.gravity.acceleration, float)
            gravity = self._parameters("g", pull, "m/s^2", "gravity, inertial axes")
        self.names.moving += [rate.symbol for rate in self.rates]
        return Machine(hung, tuple(self.rates), self.places, gravity, self.names)

    def _child(self, name: str, joint: Any, inner: int | None) -> Hung:
        body, first, hold, cosines = self.bodies[name], len(self.rates), None, ""
        path = f"bodies.{name}"
        mass = self._parameter(self.naming("m", path), float(body.mass), "kg", f"mass of {name}")
        what = f"inertia of {name} about its centre of mass"
        inertia = self._parameters(self.naming("J", path), _about_centre(body), "kg m^2", what)
        if inner is None:
            self._free(name)
            cosines = self.naming("A", path)
        else:
            hold = self._hold(joint, inner, joint.child == name)
        rates = slice(first, len(self.rates))
        return Hung(name, self.naming.words[path], mass, inertia, rates, hold, cosines)

    def _hold(self, joint: Any, inner: int, outward: bool) -> Hold:
        arms = self._arm(joint, joint.parent, "parent"), self._arm(joint, joint.child, "child")
        inner_arm, own_arm = arms if outward else arms[::-1]
        frames = self._frame(joint, "parent"), self._frame(joint, "child")
        slides = tuple((AXES.index(axis), self._slide(joint, axis)) for axis in SLIDES[joint.kind](joint))
        return Hold(inner, outward, inner_arm, own_arm, frames, slides, *self._turns(joint))

    # --- symbols

    def _parameter(self, name: str, value: float, unit: str, what: str) -> str:
        self.names.values[name] = value, unit, what
        return name

    def _parameters(self, name: str, values: np.ndarray, unit: str, what: str) -> np.ndarray:
        """Symbols of those numbers of an array that are not zero; of a tensor each once."""
        found = np.zeros(values.shape, object)
        for place in np.ndindex(values.shape):
            if values[place] != 0:
                axes = "".join(AXES[k] for k in sorted(place))
                found[place] = self._parameter(f"{name}_{axes}", float(values[place]), unit, what)
        return found

    def _arm(self, joint: Any, end: str, side: str) -> np.ndarray:
        """From the centre of mass of a body, or the origin of the ground, to the joint point."""
        at = np.asarray(getattr(joint, f"{side}_at"), float)
        if end == GROUND:
            return np.zeros(3)
        at = at - np.asarray(self.bodies[end].mass_centre, float)
        what = f"vector from the centre of mass of {end} to the joint point of {joint.name}"
        return self._parameters(self.naming("r", f"joints.{joint.name}", f"bodies.{end}"), at, "m", what)

    def _frame(self, joint: Any, side: str) -> np.ndarray:
        values, stem = _matrix(getattr(joint, f"{side}_frame")), ("A", f"joints.{joint.name}", side)
        found = np.zeros((3, 3), object)
        for row, column in np.ndindex(3, 3):
            value = float(values[row, column])
            found[row, column] = value
            if not written(value):
                name = f"{self.naming(*stem)}_{AXES[row]}{AXES[column]}"
                what = f"direction cosine of the joint frame of {joint.name} in its {side}"
                found[row, column] = self._parameter(name, value, "", what)
        return found

    def _free(self, name: str) -> None:
        for symbol, rate, unit in (("v", "velocity", "m/s"), ("w", "angular_velocity", "rad/s")):
            path = f"bodies.{name}"
            stem = self.naming(symbol, path)
            self.rates += [Rate(f"{stem}_{a}", f"{path}.{rate}.{a}", unit) for a in AXES]

    def _moving(self, joint: Any, what: str, letter: str, axis: str, unit: str) -> tuple[str, str]:
        """Names of a coordinate of a joint and of its rate."""
        path = f"joints.{joint.name}"
        name, rate = (f"{self.naming(head, path)}_{axis}" for head in (letter, f"{letter}dot"))
        self.places[name] = f"{path}.{what}.{axis}"
        self.rates.append(Rate(rate, f"{path}.{what}_rate.{axis}", f"{unit}/s"))
        return name, rate

    def _slide(self, joint: Any, axis: str) -> str:
        name, _ = self._moving(joint, "displacement", "s", axis, "m")
        self.names.moving.append(name)
        return name

    def _turns(self, joint: Any) -> tuple[tuple[tuple[int, str, str, str], ...], tuple[str, ...]]:
        """Successive rotations of a joint, or the symbols of a rotation about all axes."""
        free = _turning(joint)
        if len(free) == 3:
            path = f"joints.{joint.name}"
            four = tuple(self.naming(f"e{n}", path) for n in range(4))
            self.names.quaternions.append(four)
            self.places |= dict.fromkeys(four, f"{path}.rotation")
            stem = self.naming("w", path)
            self.rates += [Rate(f"{stem}_{a}", f"{path}.rotation_rate.{a}", "rad/s") for a in AXES]
            return (), four
        turns = [self._turn(joint, axis) for axis in free]
        if len(free) == 2 and joint.angle is not None:
            turns.insert(1, self._constant_rotation(joint, *free))
        return tuple(turns), ()

    def _turn(self, joint: Any, axis: str) -> tuple[int, str, str, str]:
        name, rate = self._moving(joint, "rotation", "q", axis, "rad")
        cosine, sine = f"cos({name})", f"sin({name})"
        self.names.angles[name] = cosine, sine
        return AXES.index(axis), cosine, sine, rate

    def _constant_rotation(self, joint: Any, first: str, last: str) -> tuple[int, str, str, str]:
        """The constant rotation between two free ones about the third axis, which keeps the angle of their
        axes."""
        one, other = AXES.index(first), AXES.index(last)
        middle = 3 - one - other
        sign = 1.0 if (middle - one) % 3 == 1 else -1.0
        # Rotated by d about e_j, e_k has the component sign sin d along e_i.
        held = sign * (np.pi / 2 - float(joint.angle))
        name = self.naming("d", f"joints.{joint.name}")
        what = f"deviation of the angle between the axes of {joint.name} from 90 deg"
        cosine, sine = f"cos({name})", f"sin({name})"
        self.names.angles[name] = cosine, sine
        self.names.held[name] = held, what
        return middle, cosine, sine, ""


def _turning(joint: Any) -> str:
    """Rotation axes of a joint: the first fixed in the parent, the last in the child; or all three."""
    if joint.kind == "spherical":
        return AXES
    if joint.kind == "universal":
        return joint.universal_axes
    if joint.kind in ("revolute", "cylindrical") or (joint.kind == "planar" and joint.rotates):
        return joint.free_axis
    if joint.kind != "generalized":
        return ""
    free = "".join(axis for axis in AXES if f"r{axis}" not in joint.locked)
    return "".join(joint.pair) if len(free) == 2 else free


def _about_centre(body: Any) -> np.ndarray:
    """The inertia of a body about its centre of mass [kg m^2]."""
    found = np.asarray(body.inertia, float)
    if body.inertia_about is not None:
        a = np.asarray(body.mass_centre, float) - np.asarray(body.inertia_about, float)
        found = found - float(body.mass) * (a @ a * np.eye(3) - np.outer(a, a))
    return found


def _matrix(attitude: Any) -> np.ndarray:
    """From inner axes to outer ones."""
    if attitude is None:
        return np.eye(3)
    if attitude.matrix is not None:
        return np.asarray(attitude.matrix, float)
    if attitude.quaternion is not None:
        w, *rest = np.asarray(attitude.quaternion, float)
        axis = np.array(rest)
        return (w * w - axis @ axis) * np.eye(3) + 2 * np.outer(axis, axis) + 2 * w * _cross(axis)
    found = np.eye(3)
    for axis, angle in zip(attitude.euler.split("-"), np.asarray(attitude.angles, float), strict=True):
        unit = _cross(np.eye(3)[int(axis) - 1])
        found = found @ (np.eye(3) + np.sin(angle) * unit + (1 - np.cos(angle)) * unit @ unit)
    return found


def _cross(a: np.ndarray) -> np.ndarray:
    x, y, z = a
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0.0]])

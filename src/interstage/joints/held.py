"""Class `Joints`: joints between bodies that another program integrates."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..formulations import elimination
from ..formulations.contract import Constraints, Inertias
from ..maths.vectors import add_axes
from ..model.joint import Joint
from ..tree.errors import BadInput, Problem
from ..tree.similar_names import near
from . import closed, equations, offered, straight
from .closed import Gaps
from .equations import State, Weights
from .structure import Structure, structure

STATE = ("position", "quaternion", "velocity", "rate")
WRENCH = ("force", "torque")


class Loads(NamedTuple):
    """Joint loads in one state.

    - force: forces on the bodies [N], inertial axes (3, body, *cases), which the host adds to its forces
    - torque: torques on the bodies about the centres of mass [N m], body axes (3, body, *cases), which the
      host adds to its torques
    - joint_force, joint_torque: load on the child at the joint point [N, N m], axes of the parent's joint
      frame (3, joint, *cases), as in the results of a flight; zero for released joints"""

    force: np.ndarray
    torque: np.ndarray
    joint_force: np.ndarray
    joint_torque: np.ndarray


Condition = Callable[[float, Any], Any]
"""Function of the time [s] and of the loads passed to `settle`. The function returns true if a joint must
release, for all cases or for each case (cases,)."""


class Joints:
    """Joints between bodies that a host program integrates. The host passes states and loads, and receives
    the joint loads.

    - Vectors have the shape (3, body). Quaternions have the shape (4, body), scalar first, from body to
      inertial axes.
    - Positions and velocities refer to the centres of mass, in inertial axes. Angular rates are in body axes.
    - Joint points and `mass_centre` are relative to the body origins, in structural axes.
    - With `cases`, all arrays have a further last axis for the cases.
    """

    def __init__(
        self,
        bodies: Sequence[str],
        joints: Sequence[Joint],
        *,
        mass: Any,
        inertia: Any,
        mass_centre: Any = None,
        eta: float = 5.0,
        sharing_length: float = 1.0,
        cases: int | None = None,
        assemble_tolerance: float = 1e-3,
        assemble_angle: float = 1e-3,
        allow_unphysical_inertia: bool = False,
    ):
        """Create the joints. Raises BadInput for faulty arguments.

        - bodies: names of the bodies, in the order of the columns of all arrays
        - joints: the joints between these bodies, or between a body and the ground
        - mass [kg] (body,), inertia [kg m^2] (3, 3, body), mass_centre [m] (3, body): see `weigh`
        - eta: Baumgarte gain that closes gaps of joints [1/s]. Choose a value below 1/step of the host.
          Default: 5; 0 applies no correction
        - sharing_length: length [m] for the distribution of redundant loads. The length relates torques to
          forces. Default: 1
        - cases: number of cases of the arrays. Default: None, a single case without a case axis
        - assemble_tolerance [m], assemble_angle [rad]: largest allowed gaps of a joint in its first active
          state. Joints with `assemble` may have any gap. Default: 1e-3, which is large enough for hosts in
          single precision
        - allow_unphysical_inertia: whether inertias that violate the triangle inequality are accepted.
          Default: False
        """
        self.bodies = offered.as_tuple("bodies", bodies, str, '["stage", "payload"]')
        joints = offered.as_tuple("joints", joints, Joint, '[Joint(name="ring", ...)]')
        self.joints = tuple(joint.name for joint in joints)
        offered.refuse_doubtful_names(self.bodies, joints)
        offered.refuse_number("eta", eta, 0.0)
        offered.refuse_number("sharing_length", sharing_length, 1e-300)
        offered.refuse_number("assemble_tolerance", assemble_tolerance, 0.0)
        offered.refuse_number("assemble_angle", assemble_angle, 0.0)
        self._declared, self._length, self._eta = joints, float(sharing_length), float(eta)
        self._allowed, self._unphysical = (assemble_tolerance, assemble_angle), allow_unphysical_inertia
        self._lanes = () if cases is None else (offered.count("cases", cases),)
        self._conditions: list[tuple[str, Condition]] = []
        self.restart()
        self._structures: dict[tuple[int, ...], Structure] = {}
        self._lines: dict[Any, straight.Line | None] = {}
        count = len(self.bodies)
        self._shapes: dict[str, tuple[int, ...]] = dict.fromkeys((*STATE, *WRENCH), (3, count, *self._lanes))
        self._shapes["quaternion"] = (4, count, *self._lanes)
        self.weigh(mass, inertia, mass_centre)

    # --- bodies

    def weigh(self, mass: Any, inertia: Any, mass_centre: Any = None) -> None:
        """Set the mass properties of the bodies. Raises BadInput for wrong shapes and for values that are not
        positive.

        - mass: [kg] (body,)
        - inertia: about the centres of mass, structural axes [kg m^2] (3, 3, body)
        - mass_centre: centres of mass relative to the body origins [m] (3, body). Default: zero

        Each array can have a further last axis for the cases.
        """
        count = len(self.bodies)
        zero = np.zeros((3, count))
        given = {"mass": (mass, (count,)), "inertia": (inertia, (3, 3, count))}
        given["mass_centre"] = zero if mass_centre is None else mass_centre, (3, count)
        found = {
            name: offered.array(name, value, self._with_cases(value, shape), self.bodies)
            for name, (value, shape) in given.items()
        }
        offered.refuse_unusable(found, self.bodies)
        offered.refuse_massless(found["mass"], found["inertia"], self.bodies, self._unphysical)
        wide = [add_axes(found[name], len(shape) + len(self._lanes)) for name, (_, shape) in given.items()]
        inverse = np.moveaxis(np.linalg.inv(np.moveaxis(wide[1], (0, 1), (-2, -1))), (-2, -1), (0, 1))
        self._weights = Weights(1 / wide[0], inverse, wide[1], wide[2])
        self._weighed = [] if self._lanes else [x for part in self._weights for x in part.ravel().tolist()]
        self._zero = tuple(x == 0 for x in self._weighed)

    def _with_cases(self, value: Any, shape: tuple[int, ...]) -> tuple[int, ...]:
        return (*shape, *self._lanes) if np.ndim(value) > len(shape) else shape

    # --- loads

    def loads(
        self,
        position: Any,
        quaternion: Any,
        velocity: Any,
        rate: Any,
        force: Any,
        torque: Any,
        time: float | None = None,
    ) -> Loads:
        """Return the loads of the active joints in one state.

        - position, velocity: centres of mass [m, m/s], inertial axes (3, body). quaternion: (4, body). rate:
          angular rate [rad/s], body axes (3, body)
        - force: all other forces on the bodies, including gravity [N], inertial axes (3, body)
        - torque: all other torques about the centres of mass, without the gyroscopic torque [N m], body axes
          (3, body)
        - time: [s]; needed only for prescribed motions

        No state is stored. The stages of an integration step can therefore be evaluated in any order. The
        first state with an active joint must satisfy this joint. Raises BadInput for values that are not
        finite, for wrong shapes, for singular joints and for large initial gaps.
        """
        given = (position, quaternion, velocity, rate, force, torque)
        if "loads" in self._new:
            self._examine("loads", given[:4], time, *self._allowed)
        held = self._active_joints()
        if not held:
            self._check_arguments((*STATE, *WRENCH), given)
            return self._loads(
                np.zeros((6, len(self.bodies), *self._lanes)), np.zeros((6, 0, *self._lanes)), held
            )
        built = self._structure(held)
        numbers = self._straight("loads", held, (*STATE, *WRENCH), given)
        if numbers is not None:
            of_bodies = 6 * len(self.bodies)
            on_bodies, at_joints = numbers[:of_bodies], numbers[of_bodies:]
            return self._loads(on_bodies.reshape(6, -1), at_joints.reshape(6, -1), held)
        arrays = self._check_arguments((*STATE, *WRENCH), given)
        state, wrench = State(*arrays[:4]), (arrays[4], arrays[5])
        solving, active = _by_numpy(built.loops), self._active(built)
        at = equations.place_rows(built, self._weights, state, self._moment(built, time))
        closed.refuse_stuck(built, at, active)
        found = equations.loads(built, self._weights, state, wrench, self._eta, solving, at, active)
        closed.refuse_no_numbers(built, found.on_bodies)
        return self._loads(found.on_bodies, found.at_joints, held)

    def projected(
        self, position: Any, quaternion: Any, velocity: Any, rate: Any, time: float | None = None
    ) -> State:
        """Return the state projected on the active joints, for a host that corrects its states after a step.

        The projection has one correction of the positions and one correction of the velocities. Each
        correction is minimal in the mass metric. A reversed joint stays reversed. For the arguments see
        `loads`. Raises BadInput for faulty arguments.
        """
        given = (position, quaternion, velocity, rate)
        if "projected" in self._new:
            self._examine("projected", given, time, math.inf, math.inf)
        held = self._active_joints()
        if not held:
            return State(*self._check_arguments(STATE, given))
        built = self._structure(held)
        numbers = self._straight("projected", held, STATE, given)
        if numbers is not None:
            parts = np.split(numbers, np.cumsum([math.prod(self._shapes[name]) for name in STATE])[:-1])
            return State(*(part.reshape(self._shapes[name]) for name, part in zip(STATE, parts)))
        state, moment = State(*self._check_arguments(STATE, given)), self._moment(built, time)
        solving, active = _by_numpy(built.loops), self._active(built)
        closed.refuse_stuck(built, equations.place_rows(built, self._weights, state, moment), active)
        found = equations.project(built, self._weights, state, solving, moment, active)
        for part in found:
            closed.refuse_no_numbers(built, part)
        return found

    def gaps(
        self, position: Any, quaternion: Any, velocity: Any, rate: Any, time: float | None = None
    ) -> Gaps:
        """Return the gaps of all joints in a state, including inactive joints.

        The gaps show the drift of the host's integration, or the distance of two bodies before an attachment.
        For the arguments see `loads`. Raises BadInput for faulty arguments.
        """
        return self._gaps(range(len(self.joints)), (position, quaternion, velocity, rate), time)

    def _gaps(self, which: Sequence[int], given: Sequence[Any], time: float | None) -> Gaps:
        built, state = self._structure(tuple(which)), State(*self._check_arguments(STATE, given))
        return closed.gaps(
            built, equations.place_rows(built, self._weights, state, self._moment(built, time))
        )

    def _examine(self, asked: str, given: Sequence[Any], time: float | None, gap: float, turn: float) -> None:
        """Check the joints that are active for the first time. Raises BadInput."""
        held = self._active_joints()
        new = (self._new[asked] & self._on)[list(held)]
        if new.any():
            joints = [self._declared[j] for j in held]
            closed.refuse_far(joints, self._gaps(held, given, time), new, gap, turn)
        del self._new[asked]

    def c_source(self, name: str = "joint_loads") -> str:
        """Return the loads of the active joints as a C99 function: ``int name(const double *in, double
        *out)``.

        The function is for hosts that are too fast for Python. See `in_c` for the arrays `in` and `out`.
        name: name of the function. Raises BadInput if the equations need branches."""
        held = self._active_joints()
        if self._lanes or not held or not straight.possible(self._structure(held)):
            text = (
                "C code does not support disks, prescribed motions, more than one case, many constraints "
                "or zero constraints. The active joints have one of these features"
            )
            raise BadInput(Problem("joints", f"{text}. Call loads from Python"))
        if re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", str(name)) is None:
            raise BadInput(
                Problem(
                    "name",
                    f"{name!r} is not a valid name in C. Use letters, digits and _, and begin with a letter",
                )
            )
        return "#include <math.h>\n\n" + straight.loads_in_c(self._structure(held), self._eta, name)

    def in_c(
        self, position: Any, quaternion: Any, velocity: Any, rate: Any, force: Any, torque: Any
    ) -> np.ndarray:
        """Return the array `in` of the C function of `c_source`, from the arguments of `loads`.

        `in` begins with 22 values for each body, which only `weigh` changes: 1/mass (body), inverse inertia
        and inertia (3, 3, body) each, and centre of mass (3, body). The arguments of `loads` follow in their
        order, with the body as the last index.

        `out` has `force` and `torque` (3, body), `joint_force` and `joint_torque` (3, joint) of the active
        joints, and one measure for each constraint. The C function returns 0 if the loads are valid,
        otherwise 1. NaN inputs give NaN outputs. The first state is checked as in `loads`; the C function
        does not check later states. Raises BadInput for faulty arguments."""
        given = (position, quaternion, velocity, rate, force, torque)
        if "loads" in self._new:
            self._examine("loads", given[:4], None, *self._allowed)
        arrays = self._check_arguments((*STATE, *WRENCH), given)
        return np.array([*self._weighed, *(x for array in arrays for x in array.ravel().tolist())])

    def _straight(
        self, what: str, held: tuple[int, ...], names: Sequence[str], given: Sequence[Any]
    ) -> np.ndarray | None:
        """Results of the recorded equations. None if the equations have no recorded form, or if constraint
        rows can be redundant. Raises BadInput."""
        line, built = self._line(what, held), self._structure(held)
        if line is None:
            return None
        values = list(self._weighed)
        for name, value in zip(names, given):
            values += offered.array(name, value, self._shapes[name], self.bodies).ravel().tolist()
        if not math.isfinite(sum(values)):
            self._check_arguments(names, given)
        rows = built.table.count
        try:
            numbers = line(values)
            sound = straight.sound(numbers[:rows], built.loops)
        except (ArithmeticError, ValueError):
            numbers, sound = (), False
        if sound:
            return np.array(numbers[rows:])
        self._check_arguments(names, given)
        if built.loops:
            return None
        raise closed.stuck(built.joints)

    def _line(self, what: str, held: tuple[int, ...]) -> straight.Line | None:
        """The recorded equations. None if the equations have no recorded form."""
        key = what, held, self._zero
        if key not in self._lines:
            built, make = self._structure(held), straight.loads if what == "loads" else straight.project
            recorded = not self._lanes and straight.possible(built)
            self._lines[key] = make(built, self._eta, self._zero) if recorded else None
        return self._lines[key]

    def _check_arguments(self, names: Sequence[str], given: Sequence[Any]) -> list[np.ndarray]:
        arrays = [
            offered.array(name, value, self._shapes[name], self.bodies) for name, value in zip(names, given)
        ]
        offered.refuse_unusable(dict(zip(names, arrays)), self.bodies)
        return arrays

    def _loads(self, on_bodies: np.ndarray, at_joints: np.ndarray, held: tuple[int, ...]) -> Loads:
        if len(held) < len(self.joints):
            every = np.zeros((6, len(self.joints), *self._lanes))
            every[:, list(held)] = at_joints
            at_joints = every
        return Loads(on_bodies[:3], on_bodies[3:], at_joints[:3], at_joints[3:])

    def _active_joints(self) -> tuple[int, ...]:
        """Joints that are active in any case."""
        if self._held is None:
            on = self._on.any(1) if self._lanes else self._on
            self._held = tuple(map(int, np.flatnonzero(on)))
        return self._held

    def _structure(self, held: tuple[int, ...]) -> Structure:
        if held not in self._structures:
            chosen = [self._declared[j] for j in held]
            self._structures[held] = structure(self.bodies, chosen, self._length)
        return self._structures[held]

    def _active(self, built: Structure) -> np.ndarray | None:
        if not self._lanes or self._on.all():
            return None
        number = [self.joints.index(name) for name in built.joints]
        return self._on[number][built.table.joint].astype(float)

    def _moment(self, built: Structure, time: float | None) -> Any:
        if built.motions is None and built.velocities is None:
            return None
        if time is None:
            raise BadInput(
                Problem("time", "the time is missing, but joints have prescribed motions. Give the time [s]")
            )
        offered.refuse_time(time)
        return np.full(self._lanes, float(time))

    # --- release

    def restart(self) -> None:
        """Reset the time, and reset all joints to their declared states, for another run of the host. Release
        conditions remain.
        """
        self._time = -math.inf
        self._on = np.ones((len(self.joints), *self._lanes), bool)
        self._held: tuple[int, ...] | None = None
        for j, joint in enumerate(self._declared):
            self._on[j] = joint.active
        self._new = {"loads": self._on.copy(), "projected": self._on.copy()}

    def holds(self, name: str) -> Any:
        """Return whether a joint is active: a bool, or with cases an array (cases,). Raises BadInput for an
        unknown name."""
        on = self._on[self._place(name)]
        return on.copy() if self._lanes else bool(on)

    def release(self, name: str, where: Any = True) -> None:
        """Release a joint. Raises BadInput.

        where (cases,): whether the joint is released in each case, bool. Default: in all cases.
        """
        self._on[self._place(name)] &= ~self._cases("where", where)
        self._held = None

    def attach(self, name: str, where: Any = True) -> None:
        """Attach a joint. Raises BadInput.

        where (cases,): whether the joint is attached in each case, bool. Default: in all cases.

        The attachment does not change velocities. The host must correct incompatible velocities, for example
        with `projected`. `gaps` returns the velocity errors.
        """
        j = self._place(name)
        new = self._cases("where", where) & ~self._on[j]
        self._on[j] |= new
        self._held = None
        if new.any():
            for asked in ("loads", "projected"):
                self._new.setdefault(asked, np.zeros_like(self._on))[j] |= new

    def release_when(self, name: str, condition: Condition) -> None:
        """Set a condition that releases a joint. The joint releases in the first call of `settle` in which
        the condition is true.

        condition: function of the time [s] and of the loads passed to `settle`. Raises BadInput for an
        unknown name.
        """
        self._place(name)
        if not callable(condition):
            text = f"{condition!r} is not a function"
            remedy = "Give a function of the time and the loads that returns True for a release"
            raise BadInput(Problem(f"condition of '{name}'", f"{text}. {remedy}"))
        self._conditions.append((name, condition))

    def settle(self, time: float, loads: Loads | None = None) -> tuple[str, ...]:
        """Evaluate the release conditions at the end of a step of the host, and return the names of the
        released joints.

        - time: [s].
        - loads: second argument of the conditions, usually the result of `loads` at this time. Default: None.

        Raises BadInput if the time decreases.
        """
        offered.refuse_time(time, self._time)
        self._time = float(time)
        gone = []
        for name, condition in self._conditions:
            j = self._place(name)
            now = self._on[j] & self._cases(f"condition of '{name}'", condition(self._time, loads))
            if now.any():
                self._on[j] &= ~now
                self._held = None
                gone.append(name)
        return tuple(dict.fromkeys(gone))

    def _place(self, name: str) -> int:
        if name not in self.joints:
            raise BadInput(
                Problem("joints", f"there is no joint '{name}'; {near(name, self.joints, 'joints here')}")
            )
        return self.joints.index(name)

    def _cases(self, what: str, marks: Any) -> np.ndarray:
        found = np.asarray(marks)
        if found.dtype != bool or found.shape not in ((), self._lanes):
            allowed = "true or false" + (
                f", or an array of {self._lanes[0]} of these values" if self._lanes else ""
            )
            raise BadInput(Problem(what, f"the function returned {marks!r}. Allowed: {allowed}"))
        return found


def _by_numpy(loops: bool) -> equations.Solving:
    def solving(inertias: Inertias, constraints: Constraints) -> Callable[[Any], Any]:
        prepared = elimination.prepare(inertias, constraints, loops)
        active = constraints.active
        return lambda right: prepared.multipliers(right if active is None else right * active)

    return solving

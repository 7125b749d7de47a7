"""One time of a flight; values are computed when they are first read.

A `Here` is made of a time, a state and the switches. Everything else is computed at the first read and
stored. A compiled program therefore contains no unread value and each read value once. The derivative of a
state, the watched values of events and the measured values of control laws are all read from the same object.

A value that is first read inside a branch or loop body must not be stored for use outside of it. A `Here` is
therefore made in the scope in which it is read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..formulations import elimination
from ..formulations.contract import Constraints
from ..maths.arrays import jnp
from ..maths.vectors import rotate
from .body_loads import gravity_and_gyroscopic, loads_of
from .flexible import coupling
from .state import Discrete

if TYPE_CHECKING:
    from ..environment.surroundings import Surroundings
    from ..model.attachments import Motion, Pairs
    from ..model.constraint_rows import Rows
    from .mechanism import Mechanism
    from .numbers import Numbers


class Unmeasured(Exception):
    """Something was read before it is known: it follows from what asks for it. The text states why."""


CIRCLE = "follows from forces that it steers; give it a sample period"


class Here:
    """One instant: the mechanism with the masses that bodies have there, the time t [s] (*cases), the state x
    (n, *cases), and the switches.

    multipliers (row, *cases): of the rows, where the formulation does not find them but is given them. known:
    what parts that are being computed know so far, by their names."""

    def __init__(self, mechanism: Mechanism, t: Any, x: Any, discrete: Discrete, multipliers: Any = None):
        self.equations, self.t, self.x, self.discrete = mechanism, t, x, discrete
        self._given = multipliers
        self._found: dict[str, Any] = {}
        self._working: set[str] = set()
        self.known: dict[str, Any] = {}

    added: Mapping[str, Any] = {}
    """Values added to signals of parts (*cases), by the names in `contract.Part.inputs`; see `Disturbed`."""

    # --- where the bodies are

    @cached_property
    def mechanism(self) -> Mechanism:
        """The mechanism with the masses of this instant."""
        return self.equations.at(self.x, self.discrete)

    @property
    def numbers(self) -> Numbers:
        """The numbers of the scenario, with the masses of this instant."""
        return self.mechanism.numbers

    @cached_property
    def motion(self) -> Motion:
        """Motion of all bodies, the ground included where something is attached to it."""
        return self.equations.motion(self.x, self.split)

    @cached_property
    def moving(self) -> Motion:
        """The same, with nodes that also move because the shapes of their bodies change with mass."""
        return coupling.moving(self)

    def moving_at(self, *ends: Any) -> Motion:
        """Motion by which points at some columns move. Without nodes among these, no mass flow is read."""
        return coupling.moving_at(self, ends)

    @cached_property
    def split(self) -> tuple[Any, ...]:
        """The parts of the state; see `state.StateForm.split`."""
        return self.equations.split(self.x)

    def own(self, name: str) -> Any:
        """The numbers of a part in the state, (`states`, *cases)."""
        return self.equations.own(name, self.x)

    @property
    def origin(self) -> Any:
        """Position of the local origin [m] (3, *cases)."""
        return self.split[4]

    @property
    def origin_velocity(self) -> Any:
        """Velocity of the local origin [m/s] (3, *cases)."""
        return self.split[5]

    @cached_property
    def surroundings(self) -> Surroundings | None:
        """What surrounds the centres of mass of all bodies; None without a planet."""
        return self.equations.surroundings(self.t, self.origin, self.origin_velocity, self.motion)

    # --- joints

    @cached_property
    def _geometry(self) -> tuple[Pairs, Any, Any]:
        return self.mechanism.geometry(self.t, coupling.moving_joints(self), self.discrete)

    @property
    def pairs(self) -> Pairs:
        """Pairs of points of the joints."""
        return self._geometry[0]

    @property
    def frame_a(self) -> Any:
        """Joint frames on the parents (3, 3, joint, *cases), inertial components."""
        return self._geometry[1]

    @property
    def frame_b(self) -> Any:
        """Joint frames on the children, likewise."""
        return self._geometry[2]

    @cached_property
    def rows(self) -> Rows:
        """Constraint rows of the joints."""
        return self.mechanism.rows(self.t, *self._geometry, self.discrete)

    # --- loads

    def __getitem__(self, name: str) -> Any:
        """What a part finds at this instant. Raises `Unmeasured` where that part is asking for this very
        thing."""
        if name not in self._found:
            if name in self._working:
                raise Unmeasured(CIRCLE)
            self._working.add(name)
            try:
                self._found[name] = self.equations.parts[name].find(self)
            finally:
                self._working.discard(name)
        return self._found[name]

    def get(self, name: str) -> Any:
        """What a part finds at this instant; None where the scenario has no such part."""
        return self[name] if name in self.equations.parts else None

    def compute_once(self, name: str, make: Callable[[], Any]) -> Any:
        """What several hooks of a part read, computed once."""
        if name not in self._found:
            self._found[name] = make()
        return self._found[name]

    @cached_property
    def loads(self) -> Any:
        """As `wrench`, of all columns (6, column, *cases): an item at a node loads the node alone."""
        total, count = gravity_and_gyroscopic(self), self.equations.layout.count
        try:
            for part in self.equations.parts.values():
                share = part.wrench(self)
                if share is not None:
                    total = total + loads_of(part, share, count, self)
        except Unmeasured as error:  # asked for by a law before its own command is known
            raise Unmeasured(CIRCLE) from error
        return total

    @cached_property
    def wrench(self) -> Any:
        """Forces [N, inertial axes] and torques about the centres of mass [N m, body axes] of all loads but
        those of the joints, (6, body incl. ground, *cases)."""
        return self.loads_on_bodies[0]

    @cached_property
    def loads_on_bodies(self) -> tuple[Any, Any]:
        """`loads` on bodies and ground (6, body, *cases), and on modes (mode, *cases), None without nodes."""
        return coupling.on_bodies(self.equations, self.x, self.motion, self.loads)

    @cached_property
    def free_modal_accelerations(self) -> Any:
        """Accelerations of all modes of flexible bodies (mode, *cases) without the loads of joints."""
        return coupling.free_accelerations(self)

    @cached_property
    def generalized_accelerations(self) -> Any:
        """Accelerations of all modes of flexible bodies (mode, *cases)."""
        return coupling.modal_accelerations(self, lambda: self._solution[1])

    # --- accelerations

    @cached_property
    def _solution(self) -> tuple[Any, Any]:
        """Accelerations, and multipliers as the formulation finds them."""
        mechanism, inertias, lam = self.mechanism, self.numbers.inertias, self._given
        if not mechanism.table.count:
            free = elimination.times_inverse_mass(inertias, self.wrench)
            return free, jnp.zeros((0, *self.t.shape))
        if lam is not None:
            return elimination.accelerations(inertias, self.wrench, self.constraints, lam), lam
        choice = mechanism.scenario.solver.settled_formulation
        joints = mechanism.joints(self.motion, *self._geometry, self.discrete)
        return mechanism.formulation(choice, inertias, self.wrench, self.constraints, joints)

    @cached_property
    def constraints(self) -> Constraints:
        """The rows as a formulation takes them, with the feedback that the solver asks for."""
        mechanism, rows = self.mechanism, self.rows._replace(gamma=self.gamma)
        bias = mechanism.fed_back(rows) if mechanism.damped else rows.gamma
        return mechanism.constraints(rows, bias, self.discrete, self.x, self.motion)

    @cached_property
    def gamma(self) -> Any:
        """Accelerations of the rows (row, *cases) while the bodies are not accelerated."""
        return coupling.gamma(self)

    @property
    def acceleration(self) -> Any:
        """Of the centres of mass relative to the local origin, inertial axes, and angular, body axes, (6,
        body incl. ground, *cases)."""
        return self._solution[0]

    @cached_property
    def accelerations(self) -> Any:
        """The same of all columns (6, column, *cases)."""
        return coupling.accelerations(self)

    @cached_property
    def multipliers(self) -> Any:
        """Multipliers of the rows (row, *cases); loads of rows that repeat others are shared by stiffness."""
        found = self._solution[1]
        return self.mechanism.share_loads(self, found) if self.mechanism.table.count else found

    @cached_property
    def slope(self) -> Any:
        """dx/dt."""
        return self.mechanism.slope(self, self.acceleration)


class Disturbed(Here):
    """An instant with more loads than those of the scenario, and with more than laws command.

    push (6, body, *cases): forces at the centres of mass [N] and torques about them [N m], structural axes.
    added: see there."""

    def __init__(self, mechanism: Mechanism, t: Any, x: Any, discrete: Discrete, push: Any, added: Any):
        super().__init__(mechanism, t, x, discrete)
        self._push, self.added = push, added

    @cached_property
    def wrench(self) -> Any:
        """As of any instant, with what pushes besides."""
        total, n = super().wrench, self.equations.layout.count
        force = rotate(self.motion.rotation[:, :, :n], self._push[:3])
        own = jnp.concatenate([force, self._push[3:]])
        return total + jnp.concatenate([own, jnp.zeros_like(total[:, n:])], 1)

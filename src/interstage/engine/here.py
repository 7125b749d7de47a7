"""Values of a flight at one time, computed at the first read.

A `Here` is created from a time, a state and the switches. Each other value is computed at the first read
and stored. A compiled program therefore contains only the values that it reads, and each value once. State
derivatives, watched values of events and measurements of control laws are read from the same object.

Create a `Here` in the branch or loop body that reads it. A value first read in a branch or loop body must
not be used outside."""

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
    """Raised if a model reads a value that depends on the result of the same model. The text states the
    reason."""


CIRCLE = "depends on forces that it controls. Set a sample period"


class Here:
    """State of a flight at one time, with all values derived from it.

    Parameters: the mechanism; time t [s] (*cases); state x (n, *cases); the switches; multipliers (row,
    *cases). Default for multipliers: computed from the equations. During the computation of a model,
    `known` holds the results of the models computed before it, by name."""

    def __init__(self, mechanism: Mechanism, t: Any, x: Any, discrete: Discrete, multipliers: Any = None):
        self.equations, self.t, self.x, self.discrete = mechanism, t, x, discrete
        self._given = multipliers
        self._found: dict[str, Any] = {}
        self._working: set[str] = set()
        self.known: dict[str, Any] = {}

    added: Mapping[str, Any] = {}
    """Values added to signals of models (*cases), by the names in `contract.Part.inputs`; see `Disturbed`."""

    # --- where the bodies are

    @cached_property
    def mechanism(self) -> Mechanism:
        """The mechanism with the masses of this time."""
        return self.equations.at(self.x, self.discrete)

    @property
    def numbers(self) -> Numbers:
        """Values of the scenario as arrays, with the masses at this time."""
        return self.mechanism.numbers

    @cached_property
    def motion(self) -> Motion:
        """Motion of all bodies, including the ground if anything is attached to it."""
        return self.equations.motion(self.x, self.split)

    @cached_property
    def moving(self) -> Motion:
        """The same motion. Nodes also move because the shapes of their bodies change with mass."""
        return coupling.moving(self)

    def moving_at(self, *ends: Any) -> Motion:
        """Motion of the points at some columns. If no column is a node, no mass flow is read."""
        return coupling.moving_at(self, ends)

    @cached_property
    def split(self) -> tuple[Any, ...]:
        """State components; see `state.StateForm.split`."""
        return self.equations.split(self.x)

    def own(self, name: str) -> Any:
        """The states of a part, (`states`, *cases)."""
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
        """Surroundings of the centres of mass of all bodies; None without a planet."""
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
        """Joint frames on the children (3, 3, joint, *cases), inertial components."""
        return self._geometry[2]

    @cached_property
    def rows(self) -> Rows:
        """Constraint rows of the joints."""
        return self.mechanism.rows(self.t, *self._geometry, self.discrete)

    # --- loads

    def __getitem__(self, name: str) -> Any:
        """The results of a model at this time (`Part.find`). Raises `Unmeasured` if the computation of the
        model itself reads them."""
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
        """Return the results of a model at this time, or None if the scenario does not use the model."""
        return self[name] if name in self.equations.parts else None

    def compute_once(self, name: str, make: Callable[[], Any]) -> Any:
        """A value that several hooks of a model read, computed once."""
        if name not in self._found:
            self._found[name] = make()
        return self._found[name]

    @cached_property
    def loads(self) -> Any:
        """Loads as in `wrench`, for all columns (6, column, *cases). An item at a node loads the node
        only."""
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
        """Forces [N, inertial axes] and torques about the centres of mass [N m, body axes] of all loads
        except joint loads, (6, body incl. ground, *cases)."""
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
        """Accelerations, and multipliers if the formulation computes them."""
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
        """The rows in the form for a formulation, with the feedback that the solver settings require."""
        mechanism, rows = self.mechanism, self.rows._replace(gamma=self.gamma)
        bias = mechanism.fed_back(rows) if mechanism.damped else rows.gamma
        return mechanism.constraints(rows, bias, self.discrete, self.x, self.motion)

    @cached_property
    def gamma(self) -> Any:
        """Accelerations of the rows (row, *cases) for zero accelerations of the bodies."""
        return coupling.gamma(self)

    @property
    def acceleration(self) -> Any:
        """Accelerations of the bodies (6, body incl. ground, *cases): of the centres of mass relative to the
        local origin, inertial axes, and angular accelerations, body axes."""
        return self._solution[0]

    @cached_property
    def accelerations(self) -> Any:
        """Accelerations of all columns (6, column, *cases); see `acceleration`."""
        return coupling.accelerations(self)

    @cached_property
    def multipliers(self) -> Any:
        """Multipliers of the rows (row, *cases). Loads of redundant rows are distributed by stiffness."""
        found = self._solution[1]
        return self.mechanism.share_loads(self, found) if self.mechanism.table.count else found

    @cached_property
    def slope(self) -> Any:
        """dx/dt."""
        return self.mechanism.slope(self, self.acceleration)


class Disturbed(Here):
    """One time with additional loads, and with values added to commands.

    push (6, body, *cases): forces at the centres of mass [N] and torques about them [N m], structural axes.
    added: see `Here.added`.
    """

    def __init__(self, mechanism: Mechanism, t: Any, x: Any, discrete: Discrete, push: Any, added: Any):
        super().__init__(mechanism, t, x, discrete)
        self._push, self.added = push, added

    @cached_property
    def wrench(self) -> Any:
        """Loads as in `Here.wrench`, including the additional loads."""
        total, n = super().wrench, self.equations.layout.count
        force = rotate(self.motion.rotation[:, :, :n], self._push[:3])
        own = jnp.concatenate([force, self._push[3:]])
        return total + jnp.concatenate([own, jnp.zeros_like(total[:, n:])], 1)

"""Values of a flight at one time, each computed at the first read.

A `Here` is created from a time, a state and the switches. Each other value is computed at the first read and
stored. A compiled program therefore contains only the values that it reads, and each value once. State
derivatives, watched values of events and measurements of control laws are read from the same object.

If a branch or loop body reads values, create the `Here` inside it. Outside, do not use a value that was first
read inside.
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
    """Error: a model reads a value that depends on the result of the same model. The text states the
    reason.
    """


CIRCLE = "depends on forces that it controls. Set a sample period"


class Here:
    """State of a flight at one time, with all values derived from it.

    - mechanism: equations of the scenario.
    - t [s] (*cases), x (n, *cases), discrete: time, state and switches.
    - multipliers (row, *cases): multipliers of the constraint rows. Default: computed from the equations.

    During the computation of a model, the attribute `known` has the results of all models computed before it,
    by name.
    """

    def __init__(self, mechanism: Mechanism, t: Any, x: Any, discrete: Discrete, multipliers: Any = None):
        self.equations, self.t, self.x, self.discrete = mechanism, t, x, discrete
        self._given = multipliers
        self._found: dict[str, Any] = {}
        self._working: set[str] = set()
        self.known: dict[str, Any] = {}

    added: Mapping[str, Any] = {}
    """Values added to signals of models (*cases), by their names in `contract.Commands.inputs`. Used by
    `Disturbed`."""

    # --- where the bodies are

    @cached_property
    def mechanism(self) -> Mechanism:
        """Return the mechanism with the masses at this time."""
        return self.equations.at(self.x, self.discrete)

    @property
    def numbers(self) -> Numbers:
        """Return the values of the scenario as arrays, with the masses at this time."""
        return self.mechanism.numbers

    @cached_property
    def motion(self) -> Motion:
        """Return the motion of all columns: bodies, the ground if anything is attached to it, and attachment
        nodes.
        """
        return self.equations.motion(self.x, self.split)

    @cached_property
    def moving(self) -> Motion:
        """Return the motion of all columns, including the motion of nodes due to modes that change with
        mass.
        """
        return coupling.moving(self)

    def moving_at(self, *ends: Any) -> Motion:
        """Return the motion of all columns, valid for the columns `ends`. If none of these columns is a node,
        mass flows are not evaluated.
        """
        return coupling.moving_at(self, ends)

    @cached_property
    def split(self) -> tuple[Any, ...]:
        """Return the components of the state; see `state.StateForm.split`."""
        return self.equations.split(self.x)

    def own(self, name: str) -> Any:
        """Return the states of the model `name` (`states`, *cases)."""
        return self.equations.own(name, self.x)

    @property
    def origin(self) -> Any:
        """Return the position of the local origin [m] (3, *cases), inertial axes."""
        return self.split[4]

    @property
    def origin_velocity(self) -> Any:
        """Return the velocity of the local origin [m/s] (3, *cases), inertial axes."""
        return self.split[5]

    @cached_property
    def surroundings(self) -> Surroundings | None:
        """Return altitude, atmosphere and other surroundings at the centres of mass of all bodies; None
        without a planet.
        """
        return self.equations.surroundings(self.t, self.origin, self.origin_velocity, self.motion)

    # --- joints

    @cached_property
    def _geometry(self) -> tuple[Pairs, Any, Any]:
        return self.mechanism.geometry(self.t, coupling.moving_joints(self), self.discrete)

    @property
    def pairs(self) -> Pairs:
        """Return arms, gaps and their rates for the joint points (`Pairs`)."""
        return self._geometry[0]

    @property
    def frame_a(self) -> Any:
        """Return the joint frames on the parents (3, 3, joint, *cases), axes as columns, inertial
        components.
        """
        return self._geometry[1]

    @property
    def frame_b(self) -> Any:
        """Return the joint frames on the children (3, 3, joint, *cases), axes as columns, inertial
        components.
        """
        return self._geometry[2]

    @cached_property
    def rows(self) -> Rows:
        """Return the constraint rows of the joints."""
        return self.mechanism.rows(self.t, *self._geometry, self.discrete)

    # --- loads

    def __getitem__(self, name: str) -> Any:
        """Return the results of the model `name` at this time (`Part.find`). Raises `Unmeasured` if the model
        needs its own results to compute them.
        """
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
        """Return the results of the model `name` at this time, or None if the scenario does not use the
        model.
        """
        return self[name] if name in self.equations.parts else None

    def compute_once(self, name: str, make: Callable[[], Any]) -> Any:
        """Return the stored value `name`. At the first call, compute it with `make` and store it."""
        if name not in self._found:
            self._found[name] = make()
        return self._found[name]

    @cached_property
    def loads(self) -> Any:
        """Return the loads as in `wrench` on all columns (6, column, *cases). An item at an attachment node
        loads only the node.
        """
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
        """Return forces [N, inertial axes] and torques about the centres of mass [N m, body axes] of all
        loads except joint loads, (6, body incl. ground, *cases).
        """
        return self.loads_on_bodies[0]

    @cached_property
    def loads_on_bodies(self) -> tuple[Any, Any]:
        """Return `loads` as loads on bodies and ground (6, body, *cases), and as generalized loads on modes
        (mode, *cases).

        Without nodes, the loads on modes are None.
        """
        return coupling.on_bodies(self.equations, self.x, self.motion, self.loads)

    @cached_property
    def free_modal_accelerations(self) -> Any:
        """Return the accelerations of all modes of flexible bodies (mode, *cases) without the loads of
        joints.
        """
        return coupling.free_accelerations(self)

    @cached_property
    def generalized_accelerations(self) -> Any:
        """Return the accelerations of all modes of flexible bodies (mode, *cases)."""
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
        """Return the constraint rows in the form for a formulation, with Baumgarte feedback if the solver
        settings require it.
        """
        mechanism, rows = self.mechanism, self.rows._replace(gamma=self.gamma)
        bias = mechanism.fed_back(rows) if mechanism.damped else rows.gamma
        return mechanism.constraints(rows, bias, self.discrete, self.x, self.motion)

    @cached_property
    def gamma(self) -> Any:
        """Return gamma of the rows (row, *cases): the row accelerations for zero accelerations of the
        bodies.
        """
        return coupling.gamma(self)

    @property
    def acceleration(self) -> Any:
        """Return the accelerations of the bodies (6, body incl. ground, *cases).

        Rows 0 to 2 are accelerations of the centres of mass relative to the local origin [m/s^2], inertial
        axes. Rows 3 to 5 are angular accelerations [rad/s^2], body axes.
        """
        return self._solution[0]

    @cached_property
    def accelerations(self) -> Any:
        """Return the accelerations of all columns (6, column, *cases); see `acceleration`."""
        return coupling.accelerations(self)

    @cached_property
    def multipliers(self) -> Any:
        """Return the multipliers of the rows (row, *cases). Loads of redundant rows are distributed by
        stiffness.
        """
        found = self._solution[1]
        return self.mechanism.share_loads(self, found) if self.mechanism.table.count else found

    @cached_property
    def slope(self) -> Any:
        """Return dx/dt (n, *cases)."""
        return self.mechanism.slope(self, self.acceleration)


class Disturbed(Here):
    """Values at one time with additional loads, and with values added to commands.

    - push (6, body, *cases): forces at the centres of mass [N] and torques about them [N m], structural axes.
    - added: see `Here.added`.
    """

    def __init__(self, mechanism: Mechanism, t: Any, x: Any, discrete: Discrete, push: Any, added: Any):
        super().__init__(mechanism, t, x, discrete)
        self._push, self.added = push, added

    @cached_property
    def wrench(self) -> Any:
        """Return the loads as in `Here.wrench` (6, body incl. ground, *cases), including the additional
        loads.
        """
        total, n = super().wrench, self.equations.layout.count
        force = rotate(self.motion.rotation[:, :, :n], self._push[:3])
        own = jnp.concatenate([force, self._push[3:]])
        return total + jnp.concatenate([own, jnp.zeros_like(total[:, n:])], 1)

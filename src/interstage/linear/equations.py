"""Equations of motion at operating points, with exact derivatives along any directions.

NumPy evaluates the equations with dual numbers for all directions and operating points together. No
compilation is needed. Joints are rigid, whatever formulation the flight uses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..engine.here import Disturbed
from ..engine.joints_at_once import JointsAtOnce
from ..engine.mechanism import Mechanism
from ..engine.quantity import scalar
from ..maths.arrays import jnp, jvp
from ..maths.dual import plain, trim
from ..maths.rotations import matrix_of
from ..maths.vectors import cross, rotate, rotate_back
from .accelerations import OfJoints
from .behind import Behind
from .coordinates import Tree


class Place(NamedTuple):
    """Operating points. Arrays have the operating points as first axis, or as cases in the last axes.

    - t: time [s].
    - own (tree state,): state of the bodies in joint coordinates; see `engine.joint_coordinates`.
    - behind (model state,): states of the models.
    - discrete: switches.
    - push (6, body): additional loads; see `engine.here.Disturbed`.
    - added (signal,): values that are added to signals.
    """

    t: Any
    own: Any
    behind: Any
    discrete: Any
    push: Any
    added: Any


class Equations:
    """Equations of motion of a tree of bodies and joints.

    - tree: coordinates of the tree.
    - outputs: output quantities.
    - signals: names of the signals that inputs change.
    """

    def __init__(self, tree: Tree, outputs: Sequence[Any], signals: Sequence[str]):
        self.tree, self.outputs, self.signals = tree, outputs, signals
        self.behind = Behind(tree.layout)

    def rows(self, mechanism: Mechanism, place: Place) -> list[Any]:
        """Return the position and velocity errors of the joint constraints, each (row, *cases)."""
        here = self.here(mechanism, place)
        return [here.rows.g, here.rows.gdot]

    def rates(self, mechanism: Mechanism, place: Place) -> list[Any]:
        """Return accelerations, rates and quantities at operating points, as a list:

        - accelerations of the coordinates (coordinate, *cases)
        - rates of displacements due to moving masses (coordinate, *cases), in inertial axes
        - rates of the states of models (model state, *cases)
        - output quantities, each (1, *cases)
        """
        return self._rates(mechanism, self.here(mechanism, place))

    def _rates(self, mechanism: Mechanism, here: Disturbed) -> list[Any]:
        second, beside = self._second(mechanism, here), self._mass_drift(here)
        # Joints may constrain all bodies, but models may still have states.
        none = jnp.zeros((0, *here.t.shape))
        found = [jnp.stack(rows) if rows else none for rows in (second, beside)]
        found.append(self._drift(here))
        return found + [
            jnp.broadcast_to(scalar(quantity, part, here), here.t.shape)[None]
            for quantity, part in self.outputs
        ]

    def _drift(self, here: Disturbed) -> Any:
        """Rates of states of models (number, *cases)."""
        if self.tree.bases:  # needs all derivatives
            return here.slope[self._size :]
        behind = here.mechanism.rates_behind(here, here.acceleration)
        tail = jnp.zeros((here.mechanism.tail, *here.t.shape))
        return tail if behind is None else behind

    @property
    def _size(self) -> int:
        """Numbers of the bodies in a state."""
        return 13 * self.tree.layout.count + 6

    def _coordinates(self, mechanism: Mechanism, x: Any, discrete: Any) -> JointsAtOnce:
        """Masses of the bodies in a state; they depend on states of models only."""
        return JointsAtOnce(mechanism.at(x, discrete), self.tree.forest)

    def here(self, mechanism: Mechanism, place: Place) -> Disturbed:
        """Return the mechanism evaluated at operating points, with additional loads and signals."""
        by_name = {name: place.added[k] for k, name in enumerate(self.signals)}
        x = self.ordinary(mechanism, place)
        found = Disturbed(mechanism, place.t, x, place.discrete, place.push, by_name)
        found.split = tuple(map(trim, mechanism.split(x)))
        return found

    def ordinary(self, mechanism: Mechanism, place: Place) -> Any:
        """Return the complete state of the mechanism (state, *cases) at operating points."""
        t, own, behind, discrete, *_ = place
        coordinates = self._coordinates(mechanism, jnp.concatenate([own, behind]), discrete)
        return jnp.concatenate([coordinates.ordinary(t, own, discrete)[: self._size], behind])

    # --- linear states of models

    def linear_states(self, mechanism: Mechanism, place: Place) -> list[Any]:
        """Return the values of `rates` with linear states of models in place of model states.

        The list begins with the accelerations, the rates of displacements due to moving masses, and the rates
        of the linear states (linear state, *cases). The vector ends with the rates of the model states. Small
        rotations are relative to the continuing reference motion.
        """
        here = self.here(mechanism, place)
        second, beside, drift, *outputs = self._rates(mechanism, here)
        if self.behind.plain:
            return [second, beside, drift, *outputs, drift]

        def to_linear(x: Any, near: Any) -> Any:
            return self.behind.to_linear(mechanism.at(x, place.discrete), x, near)

        motion = (here.x, plain(here.x)), (here.slope, plain(here.slope))
        return [second, beside, jvp(to_linear, *motion)[1], *outputs, drift]

    def from_linear(self, mechanism: Mechanism, where: Any) -> list[Any]:
        """Return the states of models (model state, *cases) from their linear states.

        where: tuple of operating points, linear states, and an optional reference state for small rotations.
        Default reference: the state of the operating points.
        """
        place, values, *near = where
        x = self.ordinary(mechanism, place)
        first = near[0] if near else plain(x)
        return [self.behind.from_linear(mechanism.at(x, place.discrete), x, values, first)]

    def _mass_drift(self, here: Disturbed) -> list[Any]:
        """Velocity of centres of mass of root bodies relative to their structure, for each coordinate."""
        still = jnp.zeros_like(here.t)
        if not self.tree.bases:
            return [still] * len(self.tree.coordinates)
        moved = here.equations.split(here.slope)[0] - here.split[1]
        return [
            moved[one.place, one.body] + still if one.free and one.kind == "displacement" else still
            for one in self.tree.coordinates
        ]

    def _second(self, mechanism: Mechanism, here: Disturbed) -> list[Any]:
        """Accelerations of the coordinates, in their order."""
        forest, found = self.tree.forest, {}
        branches = [(k, branch.joint) for k, branch in enumerate(forest.branches) if branch is not None]
        if branches:
            joints = OfJoints(here, [joint for _, joint in branches])
            for n, (body, _) in enumerate(branches):
                (motions,) = forest.states(body)
                assert motions is not None
                slides = [joints.place[axis, n] for axis in motions.translations]
                found[body] = [*slides, *joints.turns(n, motions)]
        found |= self._of_bases(mechanism, here) if self.tree.bases else {}
        return [one for body in forest.order for one in found[body]]

    def _of_bases(self, mechanism: Mechanism, here: Disturbed) -> dict[int, list[Any]]:
        """Accelerations of the root bodies; with axes of the motion, of displacements along inertial axes."""
        found = {}
        _, v, q, w, _, drift = here.split
        _, straight, _, turning, *_ = mechanism.split(here.slope)
        fall = mechanism.fall(here.t, here.origin)
        for body in self.tree.bases:
            second, turn = straight[:, body] + fall, matrix_of(q[:, body])
            if self.tree.axes == "body":
                velocity = rotate_back(turn, v[:, body] + drift)
                second = rotate_back(turn, second) - cross(w[:, body], velocity)
            turns = turning[:, body]
            turns = rotate(turn, turns) if self.tree.axes == "inertial" else turns
            found[body] = [*(second[n] for n in range(3)), *(turns[n] for n in range(3))]
        return found

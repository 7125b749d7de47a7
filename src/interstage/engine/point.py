"""Flight of all bodies as one point mass: relative poses of the bodies, and values at one time.

The point is the common centre of mass. The velocity of the point is the velocity of the material there, as
for single bodies. The momentum of the point is therefore the sum of the momenta of the bodies. The
acceleration of the point is the sum of all forces divided by the sum of the masses. The bodies have the
attitude that guidance commands. Moments are not computed, because they are assumed to be balanced in this
attitude.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from ..maths import rotations
from ..maths.arrays import jnp
from ..maths.vectors import cross, product, rotate, rotate_back, transpose
from ..model.attachments import Motion
from .body_loads import weights
from .contract import ChangesMass, Commands
from .here import CIRCLE, Here, Unmeasured
from .stance import Stance

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..environment.surroundings import Surroundings
    from .mechanism import Mechanism
    from .state import Discrete


class Joined(NamedTuple):
    """Poses of the bodies relative to the first body in a point-mass flight.

    - place (3, body): origins of the bodies relative to the origin of the first body [m], in its structural
      axes.
    - turn (4, body): quaternions from the axes of the bodies to the axes of the first body.
    """

    place: Any
    turn: Any


class CommandedAttitude(NamedTuple):
    """Commanded attitude of a body: index of the body, and its attitude."""

    body: int
    stance: Stance


class PointHere(Here):
    """Values at one time of bodies that fly as a point mass.

    All bodies rotate together, and joints have no loads of their own. Moments are computed only if they are
    read.
    """

    _bare: PointHere | None = None
    _made: Callable[[], Any] | None = None

    def stand(self, bare: PointHere, motion: Motion | None, made: Callable[[], Any]) -> PointHere:
        """Set the commanded attitude of the bodies, and return this object.

        - bare: values at the same time with all bodies at the point. Masses and states of models are read
          from this state.
        - motion: motion of the bodies; None if it must be computed from the state.
        - made: function that returns the state at the first read.
        """
        self._bare, self._made = bare, made
        vars(self).pop("x")
        if motion is not None:
            self.motion = motion
        return self

    @cached_property
    def x(self) -> Any:  # type: ignore[override] - found when it is first read
        """Return the state of the mechanism (n, *cases)."""
        assert self._made is not None
        return self._made()

    @cached_property
    def mechanism(self) -> Mechanism:
        """Return the mechanism with the masses at this time."""
        return super().mechanism if self._bare is None else self._bare.mechanism

    @cached_property
    def surroundings(self) -> Surroundings | None:
        """Return altitude, atmosphere and other surroundings at the centres of mass of all bodies; None
        without a planet.
        """
        if self._bare is not None and self.equations.layout.count == 1:
            return self._bare.surroundings
        return super().surroundings

    @property
    def origin(self) -> Any:
        """Return the position of the local origin [m] (3, *cases), inertial axes."""
        return super().origin if self._bare is None else self._bare.origin

    @property
    def origin_velocity(self) -> Any:
        """Return the velocity of the local origin [m/s] (3, *cases), inertial axes."""
        return super().origin_velocity if self._bare is None else self._bare.origin_velocity

    def own(self, name: str) -> Any:
        """Return the states of the model `name` (`states`, *cases)."""
        return super().own(name) if self._bare is None else self._bare.own(name)

    @cached_property
    def pull(self) -> Any:
        """Return the acceleration of the common centre of mass relative to the local origin [m/s^2] (3,
        *cases), inertial axes.
        """
        n, total = self.equations.layout.count, weights(self)
        try:
            for part in self.equations.parts.values():
                share = part.force(self)
                if share is not None:
                    total = total + share[:, :n]
        except Unmeasured as error:
            raise Unmeasured(CIRCLE) from error
        # The masses are known before the forces are: no division then waits for these.
        return jnp.sum(total, 1) * (1 / jnp.sum(self.numbers.mass, 0))

    @cached_property
    def _solution(self) -> tuple[Any, Any]:
        """Acceleration of each body: the acceleration of the common centre of mass, plus the part from the
        rotation about it."""
        n, mass, motion = self.equations.layout.count, self.numbers.mass, self.motion
        position, spin = motion.position[:, :n], motion.spin[:, :n]
        arm = position - jnp.sum(mass / jnp.sum(mass, 0) * position, 1)[:, None]
        straight = self.pull[:, None] + cross(spin, cross(spin, arm))
        still = jnp.zeros((6, *motion.position.shape[1:]))
        found = jnp.concatenate([jnp.concatenate([straight, still[:3, n:]], 1), still[3:]])
        return found, jnp.zeros((self.equations.table.count, *self.t.shape))


def relative_poses(mechanism: Mechanism, x: Any, discrete: Discrete) -> Joined:
    """Return the poses of the bodies in the state x relative to the first body."""
    r, _, q, _, _, _ = mechanism.split(x)
    turn = rotations.matrix_of(q)
    centre = jnp.broadcast_to(mechanism.at(x, discrete).numbers.centre, r.shape)
    zero = r - rotate(turn, centre)
    first = jnp.broadcast_to(turn[:, :, :1], turn.shape)
    back = jnp.broadcast_to(rotations.conjugate(q[:, :1]), q.shape)
    return Joined(rotate_back(first, zero - zero[:, :1]), rotations.multiply(back, q))


def point_of(mechanism: Mechanism, x: Any, discrete: Discrete) -> tuple[Any, Any]:
    """Return offset [m] and velocity [m/s] of the common centre of mass relative to the local origin, each
    (3, *cases).
    """
    r, v = mechanism.split(x)[:2]
    share = _shares(mechanism.at(x, discrete))
    return jnp.sum(share * r, 1), jnp.sum(share * v, 1)


def _shares(mechanism: Mechanism) -> Any:
    """Fraction of the total mass of each body (body, *cases)."""
    mass = mechanism.numbers.mass
    return mass / jnp.sum(mass, 0)


def stood(
    mechanism: Mechanism, t: Any, place: Any, velocity: Any, origin: Any, behind: Any, discrete: Any
) -> PointHere:
    """Return the values at time t [s] with the attitude that guidance commands, for given states of the
    point.

    - place [m], velocity [m/s] (3, *cases): point relative to the local origin.
    - origin: position [m] and velocity [m/s] of the local origin (3, *cases).
    - behind: states of models, which follow the states of the bodies in the state vector.
    """
    bare = mechanism.here(t, _at_point(mechanism, place, velocity, origin, behind), discrete)
    assert isinstance(bare, PointHere)
    found = _alone if mechanism.layout.count == 1 else _together
    motion = found(bare, place, velocity, commanded_attitude_of(bare))

    def state() -> Any:
        r, v, _, _, w, _ = motion
        return mechanism.pack(r, v, motion.quaternion, w, origin[0], origin[1], behind)

    here = PointHere(mechanism, t, None, discrete)
    return here.stand(bare, None if mechanism.layout.ground else motion, state)


class _Stood(Motion):
    """A motion whose quaternions are computed when they are first read. It stores the function for this."""

    @cached_property
    def quaternion(self) -> Any:  # type: ignore[override]
        give: Any = self[5]
        return give()


def _alone(bare: PointHere, place: Any, velocity: Any, standing: CommandedAttitude) -> Motion:
    """Motion of a single body."""
    stance = standing.stance
    matrix, w = stance.rotation, jnp.zeros_like(place) if stance.spin is None else stance.spin
    r, v, spin, w = (part[:, None] for part in (place, velocity, rotate(matrix, w), w))
    give: Any = lambda: stance.quaternion[:, None]  # noqa: E731
    return _Stood(r, v, matrix[:, :, None], spin, w, give)


def _together(bare: PointHere, place: Any, velocity: Any, standing: CommandedAttitude) -> Motion:
    """Motion of several bodies with their relative poses at the time of joining."""
    mechanism, stance, k = bare.equations, standing.stance, standing.body
    relative, n = mechanism.reference.joined, mechanism.layout.count
    turn = jnp.broadcast_to(relative.turn, (4, n, *bare.t.shape))
    own = rotations.matrix_of(turn)
    first = product(stance.rotation, transpose(own[:, :, k]))
    mass, centre = bare.numbers.mass, bare.numbers.centre
    centres = relative.place + rotate(own, jnp.broadcast_to(centre, (3, *turn.shape[1:])))
    arm = centres - jnp.sum(mass / jnp.sum(mass, 0) * centres, 1)[:, None]
    whole = jnp.broadcast_to(first[:, :, None], own.shape)
    r, v = place[:, None] + rotate(whole, arm), jnp.broadcast_to(velocity[:, None], arm.shape)
    spin = w = jnp.zeros_like(arm)
    if stance.spin is not None:
        same = jnp.broadcast_to(rotate(own[:, :, k], stance.spin)[:, None], arm.shape)
        v, w, spin = v + rotate(whole, cross(same, arm)), rotate_back(own, same), rotate(whole, same)

    def quaternion() -> Any:
        its = rotations.multiply(stance.quaternion, rotations.conjugate(turn[:, k]))
        return rotations.multiply(jnp.broadcast_to(its[:, None], turn.shape), turn)

    give: Any = quaternion
    return _Stood(r, v, product(whole, own), spin, w, give)


def _at_point(
    mechanism: Mechanism, place: Any, velocity: Any, origin: Any, behind: Any, q: Any = None
) -> Any:
    """The state of all bodies at the point itself, with inertial axes, or all with one attitude (4)."""
    n, lanes = mechanism.layout.count, place.shape[1:]
    q = rotations.IDENTITY if q is None else q
    q = jnp.broadcast_to(jnp.reshape(jnp.asarray(q), (4, 1, *(1,) * len(lanes))), (4, n, *lanes))
    r, v = (jnp.broadcast_to(part[:, None], (3, n, *lanes)) for part in (place, velocity))
    return mechanism.pack(r, v, q, jnp.zeros_like(r), origin[0], origin[1], behind)


def commanded_attitude_of(here: Here) -> CommandedAttitude:
    """Return the attitude that guidance commands at one time. The attitude must not depend on the attitudes
    of the bodies.
    """
    found = (part.commanded_attitude(here) for part in here.equations.layout.having(Commands))
    return next(standing for standing in found if standing is not None)


TURNED = (0.5, 0.5, 0.5, 0.5)
"""Quaternion of an attitude in which every body axis is parallel to another inertial axis."""
PASSING = (110.0, -70.0, 50.0)
"""Velocity [m/s] that is added in the test whether a value depends on the attitude. Bodies at rest then also
have an airspeed.
"""
AWAY = (5e6, 3e6, 4e6)
"""Assumed position [m] of bodies that are not yet placed, for example at the start of a later mission leg."""


def pair_of_turns(here: Here) -> tuple[Here, Here]:
    """Return the values at one time for two attitudes of all bodies at the point. Only the attitudes
    differ.
    """
    mechanism, x = here.equations, here.x
    place, velocity = point_of(mechanism, x, here.discrete)
    velocity = velocity + jnp.reshape(jnp.asarray(PASSING), (3, *(1,) * (velocity.ndim - 1)))
    origin = mechanism.split(x)[4:]
    nowhere = jnp.all(place + origin[0] == 0, 0)
    place = jnp.where(nowhere, jnp.reshape(jnp.asarray(AWAY), (3, *(1,) * (place.ndim - 1))), place)
    at, behind = (place, velocity, origin), mechanism.trailing_state(x)
    one, other = (_at_point(mechanism, *at, behind, q) for q in (None, TURNED))
    return mechanism.here(here.t, one, here.discrete), mechanism.here(here.t, other, here.discrete)


def drift(here: Here, place: Any) -> Any:
    """Return the velocity of the common centre of mass relative to the structures [m/s] (3, *cases), inertial
    axes. None if masses neither change nor move in the structures.

    place (3, *cases): position of the point relative to the local origin [m].
    """
    layout, motion, mass = here.equations.layout, here.motion, here.numbers.mass
    found, n = None, layout.count
    for part in layout.having(ChangesMass):
        shift = part.centre_velocity(here)
        if n == 1:  # right at the point, whatever it loses
            moved, lost = None if shift is None else rotate(motion.rotation[:, :, 0], shift[:, 0]), None
        else:
            losing = part.mass_rates(here)
            moved = None if shift is None else mass * rotate(motion.rotation[:, :, :n], shift)
            lost = None if losing is None else losing * (motion.position[:, :n] - place[:, None])
        for one in (moved, lost):
            if one is not None:
                found = one if found is None else found + one
    return found if found is None or n == 1 else jnp.sum(found, 1) / jnp.sum(mass, 0)

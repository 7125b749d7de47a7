"""The machines of this case by equations of its own: ground resonance by those of Coleman and Feingold, and
blade by blade, with dampers that differ; rotors, free in vacuum or driven in air, by Kane's."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import solve_ivp

CLOSE = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-13}


class Hub(NamedTuple):
    """A hub that gives way along x and y, and blades that lag on it: their number, first and second moments
    about the hinge [kg m, kg m^2], its offset [m], masses that move along x and y, blades included [kg],
    stiffnesses [N/m] and dampings [N s/m]."""

    count: int
    first: float
    moment: float
    offset: float
    masses: tuple[float, float]
    stiffness: tuple[float, float]
    damping: tuple[float, float]


def resonance(hub: Hub, damper: float, speed: float) -> np.ndarray:
    """Eigenvalues of cosine and sine of the lag and of the hub along x and y, with a positive imaginary part,
    where all blades have the damper [N m s/rad]."""
    first, moment = hub.first, hub.moment
    half = hub.count / 2 * first
    held = speed**2 * first * hub.offset - speed**2 * moment
    mass = np.diag([moment, moment, *hub.masses])
    mass[0, 3], mass[1, 2], mass[2, 1], mass[3, 0] = first, -first, -half, half
    damping = np.diag([damper, damper, *hub.damping])
    damping[0, 1], damping[1, 0] = 2 * speed * moment, -2 * speed * moment
    stiffness = np.diag([held, held, *hub.stiffness])
    stiffness[0, 1], stiffness[1, 0] = speed * damper, -speed * damper
    slopes = -np.linalg.solve(mass, np.hstack([stiffness, damping]))
    values = np.linalg.eigvals(np.block([[np.zeros((4, 4)), np.eye(4)], [slopes]]))
    return values[values.imag > 0]


def lagging(hub: Hub, dampers: Any, speed: float) -> np.ndarray:
    """Multipliers of a turn, blade by blade in the rotating axes, with the damper of each [N m s/rad]."""
    count, size = hub.count, hub.count + 2
    places = 2 * np.pi * np.arange(count) / count

    def slope(t: float, phi: np.ndarray) -> np.ndarray:
        c, s = np.cos(places + speed * t), np.sin(places + speed * t)
        mass = np.diag([*(hub.moment,) * count, *hub.masses])
        mass[:count, count], mass[:count, count + 1] = -hub.first * s, hub.first * c
        mass[count:, :count] = mass[:count, count:].T
        damping = np.diag([*dampers, *hub.damping])
        damping[count, :count], damping[count + 1, :count] = (-2 * speed * hub.first * one for one in (c, s))
        stiffness = np.diag([*(hub.offset * hub.first * speed**2,) * count, *hub.stiffness])
        stiffness[count, :count], stiffness[count + 1, :count] = (
            speed**2 * hub.first * one for one in (s, -c)
        )
        place, rate = np.split(phi.reshape(2 * size, 2 * size), 2)
        turned = -np.linalg.solve(mass, damping @ rate + stiffness @ place)
        return np.concatenate([rate, turned]).ravel()

    turn = solve_ivp(slope, (0, 2 * np.pi / speed), np.eye(2 * size).ravel(), **CLOSE).y[:, -1]
    return np.linalg.eigvals(turn.reshape(2 * size, 2 * size))


# --- trees of bodies ----------------------------------------------------------------------------------------


def _turn(axis: str, angle: Any) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    rows = {
        "x": [[1, 0, 0], [0, c, -s], [0, s, c]],
        "y": [[c, 0, s], [0, 1, 0], [-s, 0, c]],
        "z": [[c, -s, 0], [s, c, 0], [0, 0, 1]],
    }
    return np.array(rows[axis])


def _tilde(a: Any) -> np.ndarray:
    x, y, z = a
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


class Frame(NamedTuple):
    """A body on its way: place of its drawing's origin, matrix, angular velocity; what velocity of the origin
    and angular velocity are by the speeds (3, speeds); their rates where no speed changes. Inertial axes."""

    at: Any
    turn: Any
    spin: Any
    moving: Any
    turning: Any
    pull: Any
    twist: Any

    def hinged(self, axis: str, angle: Any, rate: Any, column: int) -> Frame:
        """After a turn about one of its axes, whose rate is a speed; -1 for one that is driven."""
        line = self.turn @ np.eye(3)["xyz".index(axis)]
        turning = self.turning.astype(complex)
        if column >= 0:
            turning[:, column] = turning[:, column] + line
        twist = self.twist + rate * np.cross(self.spin, line)
        return self._replace(
            turn=self.turn @ _turn(axis, angle), spin=self.spin + rate * line, turning=turning, twist=twist
        )

    def shifted(self, arm: Any) -> Frame:
        """With its origin at a point of it."""
        out = self.turn @ np.asarray(arm)
        pull = self.pull + np.cross(self.twist, out) + np.cross(self.spin, np.cross(self.spin, out))
        return self._replace(at=self.at + out, moving=self.moving - _tilde(out) @ self.turning, pull=pull)

    def share(self, body: Any) -> tuple[Any, Any]:
        """What a body with this frame adds to the mass matrix, and to the generalized forces (Kane's
        equations): mass, centre of mass, moments."""
        mass, centre, moments = body
        there, tensor = self.shifted(centre), self.turn @ np.diag(moments) @ self.turn.T
        matrix = mass * there.moving.T @ there.moving + self.turning.T @ tensor @ self.turning
        gyro = tensor @ self.twist + np.cross(self.spin, tensor @ self.spin)
        return matrix, -mass * there.moving.T @ there.pull - self.turning.T @ gyro


class Air(NamedTuple):
    """Air on each blade: root and tip [m], chord [m], pitch there [rad], slope of the lift, drag, inflow
    [m/s], cyclic pitch by cosine and sine [rad], wind [m/s], density [kg/m^3]."""

    ends: tuple[float, float]
    chord: float
    pitch: tuple[float, float]
    slope: float
    drag: float
    inflow: float
    cyclic: tuple[float, float] = (0.0, 0.0)
    wind: tuple[float, float, float] = (0.0, 0.0, 0.0)
    density: float = 1.225

    def loads(self, blade: Frame, speeds: Any, driven: Any) -> tuple[Any, Any]:
        """Generalized forces, and the force [N]: strips in inertial axes. driven: velocity of the origin that
        is not by the speeds."""
        points, weights = np.polynomial.legendre.leggauss(40)
        points, weights = (points + 1) / 2, weights / 2
        (root, tip), (span, lead, up) = self.ends, blade.turn.T
        pitch = self.pitch[0] + points * (self.pitch[1] - self.pitch[0])
        flat = np.sqrt(span[0] ** 2 + span[1] ** 2)
        pitch = (pitch + (self.cyclic[0] * span[0] + self.cyclic[1] * span[1]) / flat)[:, None]
        above = up * np.cos(pitch) - lead * np.sin(pitch)
        ahead = lead * np.cos(pitch) + up * np.sin(pitch)
        out = (root + points * (tip - root))[:, None] * span
        stream = np.array(self.wind) - self.inflow * up - driven - blade.moving @ speeds
        stream = stream - np.cross(blade.spin, out)
        stream = stream - (stream @ span)[:, None] * span
        speed = np.sqrt(np.sum(stream**2, 1, keepdims=True))
        sine, cosine = (np.sum(stream * one, 1, keepdims=True) / speed for one in (above, -ahead))
        lift = self.slope * sine * cosine * (1 + 2 / 3 * sine**2)
        force = lift * np.cross(stream / speed, span) + self.drag * stream / speed
        force = force * (self.density / 2 * speed**2 * self.chord * (tip - root) * weights[:, None])
        moment = np.sum(np.cross(out, force), 0)
        return blade.moving.T @ np.sum(force, 0) + blade.turning.T @ moment, np.sum(force, 0)


class Rotor(NamedTuple):
    """A hub and blades: mass, centre of mass and moments of each; their number, the axes of their hinges, and
    the offset of these [m]; the fuselage, which is free and on which the hub turns freely, or none, where it
    is driven over the ground at a speed [rad/s]; a torque on the hub about its axis [N m]. No weight, which
    pulls all alike."""

    blade: Any
    count: int
    axes: str
    offset: float
    hub: Any = None
    fuselage: Any = None
    speed: float = 0.0
    air: Air | None = None
    torque: float = 0.0

    @property
    def size(self) -> int:
        """Its speeds."""
        return self.count * len(self.axes) + (7 if self.fuselage else 0)

    def second(self, q: Any, u: Any, azimuth: float = 0.0) -> np.ndarray:
        """Rates of the speeds u: of the fuselage's origin and turns, of the hub, of the hinges."""
        n, zero = self.size, np.zeros(3)
        ground = Frame(zero, np.eye(3), zero, np.zeros((3, n)), np.zeros((3, n)), zero, zero)
        if self.fuselage:
            body = ground._replace(
                turn=np.eye(3) + _tilde(q[3:6]), spin=u[3:6], moving=np.eye(3, n), turning=np.eye(3, n, 3)
            )
            hub = body.hinged("z", azimuth + q[6], u[6], 6)
            shares = [body.share(self.fuselage), hub.share(self.hub)]
            shares.append((np.zeros((n, n)), hub.turning.T @ hub.turn[:, 2] * self.torque))
        else:
            hub, shares = ground.hinged("z", azimuth, self.speed, -1), []
        for k, blade in enumerate(self.blades(hub, q, u)):
            matrix, push = blade.share(self.blade)
            if self.air is not None:
                arm = hub.turn @ _turn("z", 2 * np.pi * k / self.count) @ np.array([self.offset, 0, 0])
                driven = np.zeros(3) if self.fuselage else np.cross(hub.spin, arm)
                push = push + self.air.loads(blade, u, driven)[0]
            shares.append((matrix, push))
        return np.linalg.solve(sum(one for one, _ in shares), sum(one for _, one in shares))

    def blades(self, hub: Frame, q: Any, u: Any) -> list[Frame]:
        """Their frames, which begin at the hinges."""
        found, each, first = [], len(self.axes), self.size - self.count * len(self.axes)
        for k in range(self.count):
            blade = hub._replace(turn=hub.turn @ _turn("z", 2 * np.pi * k / self.count))
            blade = blade.shifted([self.offset, 0, 0])
            for j, axis in enumerate(self.axes):
                place = first + each * k + j
                blade = blade.hinged(axis, q[place], u[place], place)
            found.append(blade)
        return found

    def slopes(self, q: Any, u: Any, azimuth: float = 0.0) -> np.ndarray:
        """A of [q, u], by complex steps: exact."""
        n, step, found = self.size, 1e-30, []
        for k in range(2 * n):
            nudge = np.zeros(2 * n, complex)
            nudge[k] = 1j * step
            found.append(self.second(q + nudge[:n], u + nudge[n:], azimuth).imag / step)
        return np.vstack([np.eye(n, 2 * n, n), np.array(found).T])

    def multipliers(self, azimuth: float, speed: float, angles: Any = 0.0) -> np.ndarray:
        """Of a turn in which nothing else moves; angles: of the hinges of each blade [rad].

        A is of the second order in cosine and sine of the azimuth, as multi-blade coordinates, of the first,
        make it constant."""
        n, q, u = self.size, np.zeros(self.size), np.zeros(self.size)
        u[6] = speed
        q[7:] = np.resize(angles, n - 7)
        places = azimuth + 2 * np.pi * np.arange(5) / 5
        waves = np.fft.fft([self.slopes(q, u, place) for place in places], axis=0) / 5
        orders = np.fft.fftfreq(5, 1 / 5)

        def slope(t: float, phi: np.ndarray) -> np.ndarray:
            a = np.tensordot(np.exp(1j * orders * speed * t), waves, 1).real
            return (a @ phi.reshape(2 * n, 2 * n)).ravel()

        turn = solve_ivp(slope, (0, 2 * np.pi / speed), np.eye(2 * n).ravel(), **CLOSE).y[:, -1]
        return np.linalg.eigvals(turn.reshape(2 * n, 2 * n))

"""Orbital elements of two-body motion, apogee and perigee, and the anomalies.

Axes are inertial. The reference plane is the inertial x-y plane (the equator). Longitudes of nodes are
measured from inertial x. Undefined elements are zero: the longitude of the node in an equatorial orbit, and
the argument of periapsis in a circular orbit. The following angle is then measured from the direction that
the zero element defines. Formulas: R. H. Battin, An Introduction to the Mathematics and Methods of
Astrodynamics, chapters 3 and 4.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ..maths.arrays import jnp, lax
from ..maths.vectors import cross, dot, norm
from . import geodesy
from .planet import safe_angle

CIRCULAR = 1e-14
"""Eccentricity below which an orbit counts as circular. This limit corresponds to the rounding error of a
state."""
EQUATORIAL = 1e-14
"""Sine of the inclination below which an orbit counts as equatorial. This limit corresponds to the rounding
error of a state.
"""
LAGUERRE_STEPS = 10
"""Number of Laguerre iterations for the universal Kepler equation.

In a test with 20,000 random orbits, 7 iterations reach rounding error forward in time. Backward along a
hyperbola, 10 iterations are necessary.
"""
KEPLER_STEPS = 12
"""Number of Newton iterations for Kepler's equation.

In tests, 10 iterations reach rounding error for eccentricities up to 1 - 1e-6 and from 1 + 1e-6.
"""


class Elements(NamedTuple):
    """Orbital elements of a conic. Angles are in [rad].

    Longitude of the node, argument of periapsis and true anomaly are from 0 to 2 pi. The true anomaly of a
    hyperbola is from -pi to pi.
    """

    semi_latus_rectum: Any
    """Semi-latus rectum p [m]. The semi-latus rectum is positive and finite for every conic."""
    eccentricity: Any
    """Eccentricity: 0 for a circle, below 1 for an ellipse, 1 for a parabola, above 1 for a hyperbola."""
    inclination: Any
    """Inclination to the equator [rad], 0 to pi."""
    node: Any
    """Longitude of the ascending node (right ascension) [rad], from inertial x."""
    periapsis: Any
    """Argument of periapsis [rad], from the ascending node."""
    true_anomaly: Any
    """True anomaly [rad], from periapsis."""

    @property
    def semi_major_axis(self) -> Any:
        """Semi-major axis p/(1 - e^2) [m]. The semi-major axis is negative for a hyperbola and infinite for a
        parabola."""
        shape = (1 - self.eccentricity) * (1 + self.eccentricity)
        return jnp.where(shape == 0, jnp.inf, self.semi_latus_rectum / jnp.where(shape == 0, 1.0, shape))


def from_radii(periapsis: Any, apoapsis: Any, *angles: Any) -> Elements:
    """Return the elements of an ellipse from its periapsis and apoapsis radius [m].

    `angles`: inclination, node, periapsis and true anomaly [rad], in this order.
    """
    total = periapsis + apoapsis
    return Elements(2 * periapsis * apoapsis / total, (apoapsis - periapsis) / total, *angles)


def elements(mu: Any, position: Any, velocity: Any) -> Elements:
    """Return the orbital elements for an inertial position [m] and velocity [m/s] (3, ...).

    `mu` [m^3/s^2]: gravitational parameter of the central body. For straight flight to or from the centre, p
    = 0 and e = 1, and the angles describe a plane that contains the position.
    """
    radius, momentum = norm(position), cross(position, velocity)
    size = norm(momentum)
    normal = momentum / jnp.where(size > 0, size, 1.0)
    level = norm(normal[:2])
    tilted = level > EQUATORIAL
    nought = jnp.zeros_like(level)
    towards = jnp.where(
        tilted, jnp.stack([-normal[1], normal[0], nought]), jnp.stack([nought + 1, nought, nought])
    )
    towards = towards / jnp.where(tilted, level, 1.0)
    latus = size * size / mu
    cosine = latus / radius - 1  # e cos(anomaly) and e sin(anomaly)
    sine = size * dot(position, velocity) / (mu * radius)
    eccentricity = norm(jnp.stack([cosine, sine]))
    argument = safe_angle(dot(position, cross(normal, towards)), dot(position, towards))
    round_ = eccentricity < CIRCULAR
    anomaly = jnp.where(round_, argument, safe_angle(sine, cosine))
    return Elements(
        latus,
        eccentricity,
        safe_angle(level, normal[2]),
        jnp.where(tilted, _positive_angle(safe_angle(towards[1], towards[0])), 0.0),
        _positive_angle(argument - anomaly),
        jnp.where(eccentricity < 1, _positive_angle(anomaly), anomaly),
    )


def state(mu: Any, orbit: Elements) -> tuple[Any, Any]:
    """Return the inertial position [m] and velocity [m/s] (3, ...) from orbital elements.

    `mu` [m^3/s^2]: gravitational parameter of the central body.
    """
    p, e, i, node, periapsis, anomaly = (jnp.asarray(value) for value in orbit)
    # Along and square to the position, in the orbit's plane; the angles are added there.
    radius = p / (1 + e * jnp.cos(anomaly))
    speed = jnp.sqrt(mu / p)
    outward, along = _in_plane(periapsis + anomaly, node, i)
    out_speed, along_speed = speed * e * jnp.sin(anomaly), speed * (1 + e * jnp.cos(anomaly))
    return radius * outward, out_speed * outward + along_speed * along


def _in_plane(argument, node, inclination):
    """Unit vectors (3, ...) at an argument of latitude: outward, and 90 deg ahead in the orbital plane."""
    su, cu, sn, cn = jnp.sin(argument), jnp.cos(argument), jnp.sin(node), jnp.cos(node)
    si, ci = jnp.sin(inclination), jnp.cos(inclination)
    outward = jnp.broadcast_arrays(cn * cu - sn * su * ci, sn * cu + cn * su * ci, su * si)
    along = jnp.broadcast_arrays(-cn * su - sn * cu * ci, -sn * su + cn * cu * ci, cu * si)
    return jnp.stack(outward), jnp.stack(along)


def semi_major_axis(mu: Any, position: Any, velocity: Any) -> Any:
    """Return the semi-major axis [m] from the orbital energy (vis-viva equation). The result is infinite for
    a parabola.

    The formula is exact for every conic. Position [m] and velocity [m/s] are inertial (3, ...); `mu`
    [m^3/s^2].
    """
    radius = norm(position)
    bound = 2 / radius - dot(velocity, velocity) / mu
    return jnp.where(bound == 0, jnp.inf, 1 / jnp.where(bound == 0, 1.0, bound))


def perigee_apogee(mu: Any, position: Any, velocity: Any) -> tuple[Any, Any]:
    """Return the radii [m] of periapsis and apoapsis from the centre. The apoapsis radius is infinite for an
    open orbit.

    Position [m] and velocity [m/s] are inertial (3, ...); `mu` [m^3/s^2].
    """
    orbit = elements(mu, position, velocity)
    axis = semi_major_axis(mu, position, velocity)
    closed = (axis > 0) & (axis < jnp.inf)
    apoapsis = jnp.where(closed, jnp.where(closed, axis, 1.0) * (1 + orbit.eccentricity), jnp.inf)
    return orbit.semi_latus_rectum / (1 + orbit.eccentricity), apoapsis


def apsis_heights(planet: Any, position: Any, velocity: Any) -> tuple[Any, Any]:
    """Return the heights [m] above the ellipsoid at periapsis and apoapsis. The height of the apoapsis is
    infinite for an open orbit.

    In a circular orbit, the ascending node and the opposite point are used. Position [m] and velocity [m/s]
    are inertial (3, ...).
    """
    orbit = elements(planet.mu, position, velocity)
    sine = jnp.sin(orbit.inclination) * jnp.sin(orbit.periapsis)  # of the latitude of the periapsis
    cosine = jnp.sqrt(jnp.maximum(1 - sine * sine, 0.0))
    low, high = perigee_apogee(planet.mu, position, velocity)
    closed = high < jnp.inf

    def height(radius: Any) -> Any:
        place = jnp.stack([radius * cosine, jnp.zeros_like(radius), radius * sine])
        return geodesy.altitude(planet, 0.0, place)

    return height(low), jnp.where(closed, height(jnp.where(closed, high, low)), jnp.inf)


def period(mu: Any, axis: Any) -> Any:
    """Return the period [s] of an elliptic orbit with a semi-major axis [m]. For an open orbit, the result is
    infinite.
    """
    closed = (axis > 0) & (axis < jnp.inf)
    axis = jnp.where(closed, axis, 1.0)
    return jnp.where(closed, 2 * jnp.pi * axis * jnp.sqrt(axis / mu), jnp.inf)


# --- a time ahead -------------------------------------------------------------------------------------------


def after(mu: Any, position: Any, velocity: Any, time: Any) -> tuple[Any, Any]:
    """Return the inertial position [m] and velocity [m/s] (3, ...) after a time [s] of two-body motion.

    `position`, `velocity`: inertial state at time zero. `mu` [m^3/s^2]: gravitational parameter of the
    central body. A negative time gives an earlier state.

    Method: universal variables (Battin, section 4.5) with Laguerre's iteration (B. A. Conway, Celestial
    Mechanics 39, 1986, pp 199-211), which converges from any start value. The last iteration gives exact
    derivatives. A path through the centre is not supported.
    """
    radius, root = norm(position), jnp.sqrt(mu)
    rising = dot(position, velocity) / root
    bound = 2 / radius - dot(velocity, velocity) / mu  # 1/a
    closed = bound > 0
    around = 2 * jnp.pi / jnp.where(closed, bound, 1.0) ** 1.5
    span = root * time
    span = span - jnp.where(closed, jnp.round(span / around) * around, 0.0)

    def step(_, chi):
        u0, u1, u2, u3 = _universal(bound, chi)
        error = radius * u1 + rising * u2 + u3 - span
        slope = radius * u0 + rising * u1 + u2
        bend = rising * u0 + (1 - bound * radius) * u1
        return chi - 5 * error / (slope + jnp.sqrt(jnp.abs(16 * slope * slope - 20 * error * bend)))

    chi = lax.fori_loop(0, LAGUERRE_STEPS, step, _universal_start(bound, radius, span))
    u0, u1, u2, u3 = _universal(bound, chi)
    distance = radius * u0 + rising * u1 + u2
    f, g = 1 - u2 / radius, (span - u3) / root
    f_rate, g_rate = -root * u1 / (distance * radius), 1 - u2 / distance
    return f * position + g * velocity, f_rate * position + g_rate * velocity


def _universal(bound, chi):
    """The functions U0 to U3 of Battin, of 1/a [1/m] and the universal anomaly [m^(1/2)]."""
    angle = bound * chi * chi
    near = jnp.abs(angle) < 1.0
    far = jnp.where(near, 1.0, angle)
    size = jnp.sqrt(jnp.abs(far))
    ahead = jnp.where(far > 0, 0.0, jnp.minimum(size, 700.0))  # exp(710) is beyond all numbers
    open_ = (jnp.sinh(ahead) - ahead) / jnp.where(far > 0, 1.0, ahead**3), 2 * jnp.sinh(ahead / 2) ** 2
    closed = (size - jnp.sin(size)) / size**3, 2 * jnp.sin(size / 2) ** 2
    c2 = jnp.where(near, _series(2, angle), jnp.where(far > 0, closed[1], open_[1]) / size**2)
    c3 = jnp.where(near, _series(3, angle), jnp.where(far > 0, closed[0], open_[0]))
    return 1 - angle * c2, chi * (1 - angle * c3), chi**2 * c2, chi**3 * c3


def _series(first, angle):
    """The sum of (-angle)^k/(first + 2k)!, exact to rounding for magnitudes of the angle up to 1."""
    total = jnp.zeros_like(angle)
    for k in range(8, -1, -1):
        total = 1 / math.factorial(first + 2 * k) - angle * total
    return total


def _universal_start(bound, radius, span):
    """Start value of the universal anomaly: the least of several upper bounds. The bounds come from its first
    and third power, half a revolution, and the exponential of a hyperbola."""
    size, root = jnp.abs(span), jnp.sqrt(jnp.where(bound == 0, 1.0, jnp.abs(bound)))
    least = jnp.minimum(size / radius, jnp.cbrt(6 * size))
    curved = jnp.where(bound > 0, jnp.pi, jnp.log1p(2 * root**3 * size) + 1.0) / root
    return jnp.sign(span) * jnp.where(bound == 0, least, jnp.minimum(least, curved))


# --- anomalies ---------------------------------------------------------------------------------------------


def mean_anomaly(eccentricity: Any, true_anomaly: Any) -> Any:
    """Return the mean anomaly [rad] from a true anomaly [rad] on an ellipse or a hyperbola. A parabola is not
    supported.
    """
    e, half = jnp.asarray(eccentricity), jnp.asarray(true_anomaly) / 2
    ratio = jnp.sqrt(jnp.abs(1 - e) / (1 + e))
    closed = e < 1
    # E - f = -2 atan(b sin f/(1 + b cos f)) keeps whole turns: tan(E/2) = ratio tan(f/2).
    eccentric = 2 * (half + jnp.arctan2((ratio - 1) * jnp.sin(half) * jnp.cos(half), _mix(ratio, half)))
    tangent = jnp.where(closed, 0.0, ratio * jnp.sin(half) / jnp.cos(half))
    hyperbolic = 2 * jnp.arctanh(jnp.clip(tangent, -1.0, 1.0))
    return jnp.where(closed, eccentric - e * jnp.sin(eccentric), e * jnp.sinh(hyperbolic) - hyperbolic)


def _mix(ratio, half):
    return jnp.cos(half) ** 2 + ratio * jnp.sin(half) ** 2


def true_anomaly(eccentricity: Any, mean: Any) -> Any:
    """Return the true anomaly [rad] from a mean anomaly [rad] on an ellipse or a hyperbola. A parabola is not
    supported.

    On an ellipse the result is from -pi to pi. Kepler's equation is solved by Newton's method from a start
    value above the solution. From this start value, the iteration converges, because E - e sin E and e sinh H
    - H are convex.
    """
    e = jnp.asarray(eccentricity)
    closed = e < 1
    mean = jnp.asarray(mean) + 0.0 * e
    wrapped = jnp.arctan2(jnp.sin(mean), jnp.cos(mean))
    ellipse, hyperbola = jnp.where(closed, e, 0.5), jnp.where(closed, 2.0, e)
    tall = jnp.where(closed, 0.0, mean)

    def step(_, at):
        big, high = at
        error = big - ellipse * jnp.sin(big) - wrapped
        big = big - jnp.clip(error / (1 - ellipse * jnp.cos(big)), -1.0, 1.0)
        error = hyperbola * jnp.sinh(high) - high - tall
        return big, high - jnp.clip(error / (hyperbola * jnp.cosh(high) - 1), -1.0, 1.0)

    begin = _elliptic_start(ellipse, wrapped), _hyperbolic_start(hyperbola, tall)
    big, high = lax.fori_loop(0, KEPLER_STEPS, step, begin)
    ratio = jnp.sqrt((1 + e) / jnp.where(e == 1, 1.0, jnp.abs(1 - e)))
    on_ellipse = 2 * jnp.arctan2(ratio * jnp.sin(big / 2), jnp.cos(big / 2))
    return jnp.where(closed, on_ellipse, 2 * jnp.arctan(ratio * jnp.tanh(high / 2)))


def _elliptic_start(e, mean):
    """Start value: the least of three upper bounds, from sin E <= 1, sin E <= E, and E - sin E >= 0.51 E^3/6
    up to pi."""
    size = jnp.abs(mean)
    cubic = 1.25 * jnp.cbrt(6 * size / jnp.where(e > 0, e, 1.0))
    bound = jnp.minimum(size + e, size / (1 - e))
    return jnp.sign(mean) * jnp.where(e > 0, jnp.minimum(bound, cubic), size)


def _hyperbolic_start(e, mean):
    """Start value: the least of three upper bounds, from the first and the third power of H, and asinh(M/e) +
    1 for large M."""
    cubic = jnp.cbrt(6 * jnp.abs(mean) / e)
    linear = jnp.abs(mean) / (e - 1)
    return jnp.sign(mean) * jnp.minimum(jnp.minimum(linear, cubic), jnp.arcsinh(jnp.abs(mean) / e) + 1.0)


def _positive_angle(angle):
    """An angle in the range 0 to 2 pi."""
    return jnp.where(angle < 0, angle + 2 * jnp.pi, angle)

"""Writes exact.csv: the spatial slider-crank with one degree of freedom, from the conservation of energy.

    python make_truth.py [--check]      `--check` prints what halving the step changes

With the crank's angle a everything is known: the pin (0, YA - R sin a, ZA + R cos a), the slider's x from the
rod's length, the rod's direction e, and the direction b, fixed in the rod, that the universal joint holds
perpendicular to the slider's y axis: b . y = 0, b . e = 2/3. Kinetic energy is J(a) a'^2 / 2; the crank turns
one way only, so a' = sqrt(2 (E - V(a)) / J(a)) is all there is to integrate: no multiplier, no quaternion, no
second derivative. Extended precision (numpy.longdouble), Gauss collocation of order 16.
"""

import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tp2016-spherical"))

from collocation import REAL, integrate  # noqa: E402  # pyright: ignore[reportMissingImports]

R, LENGTH, YA, ZA, G = (REAL(x) for x in ("0.08", "0.3", "0.1", "0.12", "9.81"))
CRANK, ROD, SLIDER = REAL("0.12"), REAL("0.5"), REAL(2)  # kg
CRANK_MOMENT, ALONG, ACROSS = REAL("1e-4"), REAL("4e-4"), REAL("4e-3")  # kg m^2, about the centres of mass
TIMES = np.arange(51) / REAL(50)
Y = np.array([0, 1, 0], dtype=REAL)
# Velocities at the start of the reference; the rod's rate about itself does not fit the universal joint.
START = {"crank": REAL(6), "rod": np.array([REAL("0.12"), REAL("-0.24"), 0]), "slider": REAL("0.24")}
START_SPIN = np.array([REAL("1.92"), REAL("-0.96"), REAL("0.48")])


def pose(a):
    """Slider's x, pin and rod's direction from pin to slider."""
    pin = np.array([0, YA - R * np.sin(a), ZA + R * np.cos(a)])
    x = np.sqrt(LENGTH**2 - pin[1] ** 2 - pin[2] ** 2)
    return x, pin, (np.array([x, 0, 0]) - pin) / LENGTH


def motion(a):
    """Rates per rate of a: slider, rod's centre of mass (3), rod's angular velocity (3), inertial axes."""
    x, pin, e = pose(a)
    pin_rate = np.array([0, -R * np.cos(a), -R * np.sin(a)])
    slider = -(pin[1] * pin_rate[1] + pin[2] * pin_rate[2]) / x
    ends = np.array([slider, 0, 0])
    angle = np.arctan2(e[2], e[0]) + np.arccos(REAL(2) / 3 / np.hypot(e[0], e[2]))  # zero at the start
    b = np.array([np.cos(angle), 0, np.sin(angle)])
    across = np.cross(e, (ends - pin_rate) / LENGTH)
    along = -np.dot(np.cross(across, b), Y) / np.dot(np.cross(e, b), Y)  # so that b stays in the x-z plane
    return slider, (pin_rate + ends) / 2, across + along * e


def weighed(a, crank, slider, centre, spin):
    """The momentum conjugate to a that the given velocities of crank, slider and rod make."""
    own_slider, own_centre, own_spin = motion(a)
    e = pose(a)[2]
    about = ACROSS * own_spin + (ALONG - ACROSS) * np.dot(own_spin, e) * e
    turning = (CRANK_MOMENT + CRANK * R**2 / 4) * crank + np.dot(about, spin)
    return turning + ROD * np.dot(own_centre, centre) + SLIDER * own_slider * slider


def inertia(a):
    """J(a) [kg m^2]."""
    return weighed(a, REAL(1), *motion(a))


def potential(a):
    """Potential energy [J]."""
    return (CRANK + ROD) * G * R * np.cos(a) / 2


def row(time, a, rate):
    """Time, slider's x and velocity, crank's rate, rod's centre of mass, rod's angular velocity
    (inertial)."""
    x, pin, _ = pose(a)
    slider, _, spin = motion(a)
    return [time, x, slider * rate, rate, *(pin + np.array([x, 0, 0])) / 2, *(spin * rate)]


def main():
    """Integrate from the start that fits the joints and keeps the momentum conjugate to a."""
    zero = REAL(0)
    momentum = weighed(zero, START["crank"], START["slider"], START["rod"], START_SPIN)
    first = momentum / inertia(zero)
    energy = inertia(zero) * first**2 / 2 + potential(zero)

    def rate(time, state):
        return np.sqrt(2 * (energy - potential(state[0])) / inertia(state[0]))[None]

    angles = integrate(rate, [zero], TIMES, 16)
    table = np.array([row(t, a[0], rate(t, a)[0]) for t, a in zip(TIMES, angles)], dtype=float)
    vectors = [f"{name}.{c}" for name in ("rod", "rod_rate") for c in "xyz"]
    names = ["time", "slider", "slider_speed", "crank_rate", *vectors]
    lines = [",".join(names), *(",".join(f"{x:.15g}" for x in line) for line in table)]
    (HERE / "exact.csv").write_text("\n".join(lines) + "\n")
    print("crank at the start, rad/s:", first)
    if "--check" in sys.argv:
        finer = integrate(rate, [zero], TIMES, 32)
        print("half the step changes", np.abs(finer - angles).max(), "rad")


if __name__ == "__main__":
    main()

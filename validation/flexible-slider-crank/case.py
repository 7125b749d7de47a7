"""A slider-crank with a rod that bends, against cable elements of another code."""

import numpy as np

from interstage.studies.verify import Row

from ..comparison import at, read_table, turned, worst

COARSE, FINE = 9, 19
"""Elements: odd, so that one segment is in the middle."""
LENGTH, BENDING, MASS = 0.3, 0.2e12 * 0.008**4 / 12, 7870 * 0.008**2
FIRST = np.pi / LENGTH
"""Wave number of the first mode, hinged at both ends [1/m]."""
PIN, SECTION = 2e-8, 1e-7
"""Inertias that the truth has not: of each end's body [kg m^2], and of the rod by length [kg m]."""
SUDDEN = 0.445
"""At which rate the middle would move off the line of the ends if the rod had always turned so [m/s]: B.
Simeon's smooth start. This one is straight, so that it swings freely besides, by this over the frequency."""
ORDER = 0.1
"""How far observed orders may be from 2: of 9 elements (k h)^2/60 x 24 beside 1 is 0.05 in the first mode."""


def compare(fly, folder):
    """The slider, and the middle of the rod: by order, with 19 elements, and by extrapolation."""
    truth = read_table(folder / "truth.csv")
    t, errors = truth["time"], []
    for count in (COARSE, FINE):
        record = fly(folder / "scenario.toml", **{"forces.rod.elements": count})
        bend = off(record, count, t) - truth["bend"]
        errors.append(
            {"bend": bend, "slider": at(record, "bodies.slider.position", t)[:, 0] - truth["slider"]}
        )
    most = worst(truth["bend"])
    rough, left = bounds(t[-1], most)
    # The slider is drawn in by (k^2 l/4) times the square of the bend.
    draws = {"bend": 1.0, "slider": FIRST**2 * LENGTH / 2 * most}
    ratio = (FINE / COARSE) ** 2
    for what, share in draws.items():
        coarse, fine = (one[what] for one in errors)
        order = 2 * np.log(np.linalg.norm(coarse) / np.linalg.norm(fine)) / np.log(ratio)
        yield Row(f"{what}: observed order less 2", abs(order - 2), ORDER)
        yield Row(f"{what}, {FINE} elements [m]", worst(fine), rough * share, f"bend of {most:.1e} m")
        yield Row(f"{what}, extrapolated [m]", worst((ratio * fine - coarse) / (ratio - 1)), left * share)


def bounds(time, most):
    """By how much the bend may be off with `FINE` elements, and extrapolated [m]. Segments slow a mode by (k
    h)^2/24 and (k h)^4/60 of its frequency: so does the free swing lose its phase. Extrapolation leaves half
    the square of the coarser phase, and its (k h)^4/60, over the ratio of the errors; and the inertias that
    the truth has not. What follows the loads is off by lumps in place of a load that is spread, (h/l)^2."""
    w = FIRST**2 * np.sqrt(BENDING / MASS)
    swing, coarse, fine = SUDDEN / w, FIRST * LENGTH / COARSE, FIRST * LENGTH / FINE
    ratio = (coarse / fine) ** 2
    more = FIRST**2 * (2 * PIN / LENGTH + SECTION / 2) / MASS
    phase = w * time * coarse**2 / 24
    left = swing * (phase**2 / (2 * ratio) + w * time * (coarse**4 / 60 / ratio + more))
    return swing * w * time * fine**2 / 24 + most / FINE**2, left


def off(record, count, t):
    """By how much the middle of the rod is off the line of its ends [m], to the left on the way to the
    slider."""
    pin, end = (at(record, f"bodies.{name}.position", t) for name in ("big_end", "small_end"))
    attitude = at(record, "bodies.big_end.attitude", t)
    middle = turned(attitude, at(record, f"forces.rod.segment_{count // 2 + 1}.position", t))
    along = (end - pin) / np.linalg.norm(end - pin, axis=1)[:, None]
    return middle[:, 1] * along[:, 0] - middle[:, 0] * along[:, 1]

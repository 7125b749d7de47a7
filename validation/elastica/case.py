"""A rod that a force across its end bends by 82 degrees, against elliptic integrals."""

import numpy as np
from scipy.optimize import brentq
from scipy.special import ellipeinc, ellipkinc

from interstage.reading import load
from interstage.studies.verify import Row, start_as_declared

from ..comparison import worst

PUSH = 10.0
"""Force [N] on a rod of 1 m and 1 N m^2."""
COUNTS = 9, 27, 81
"""Segments: odd, so that one is in the middle."""
BOUND = 1e-6
ORDER = 0.1
"""How far the observed order may be from 2 by power three, which the half elements at the clamps bring: they
are two of 27, and their errors a half of those of others."""


def compare(fly, folder):
    """The force that holds the end where it should be, the moment next to the clamp, and the middle of the
    rod: by order, and by extrapolation through the powers two and three of the length of an element."""
    slope = end_slope()
    end = place(slope, slope)
    changes = {
        "bodies.tip.initial.position": [*end, 0.0],
        "bodies.tip.initial.attitude.angles": [slope, 0.0, 0.0],
    }
    errors = []
    for count in COUNTS:
        scenario = load(folder / "scenario.toml", set=changes | {"forces.rod.elements": count})
        errors.append(_errors(start_as_declared(scenario), count, slope))
    for what in errors[0]:
        coarse, middle, fine = (one[what] for one in errors)
        order = np.log(worst(middle) / worst(fine)) / np.log(3)
        yield Row(f"{what}: observed order less 2", abs(order - 2), ORDER)
        first, second = (9 * middle - coarse) / 8, (9 * fine - middle) / 8
        yield Row(f"{what}: extrapolated", worst((27 * second - first) / 26), BOUND)


def _errors(start, count, slope):
    """Of a start, over the sizes of what is compared."""
    angle = 0.5 * (start[f"forces.rod.segment_{count}.rotation"][2] + slope)
    along, across = start[f"forces.rod.section_{count + 1}.force"][:2]
    cosine, sine = np.cos(angle), np.sin(angle)
    force = np.array([along * cosine - across * sine, along * sine + across * cosine])
    first = start["forces.rod.section_1.moment"][2]
    arm = place(slope, slope)[0] - place(slope_at(0.25 / count, slope), slope)[0]
    middle, half = f"forces.rod.segment_{count // 2 + 1}", slope_at(0.5, slope)
    return {
        "force on the end, over it": (force - [0, PUSH]) / PUSH,
        "moment next to the clamp, over it": first / (PUSH * arm) - 1,
        "place of the middle [m]": start[f"{middle}.position"][:2] - place(half, slope),
        "turn of the middle [rad]": start[f"{middle}.rotation"][2] - half,
    }


def place(angle, end):
    """Where the rod has turned by an angle, that of its end known: K. E. Bisshopp and D. C. Drucker."""
    both = [ellipeinc(_amplitude(one, end), _parameter(end)) for one in (angle, 0.0)]
    x = np.sqrt(2 / PUSH) * (np.sqrt(np.sin(end)) - np.sqrt(max(np.sin(end) - np.sin(angle), 0.0)))
    return np.array([x, _length(angle, end) - 2 / np.sqrt(PUSH) * (both[0] - both[1])])


def slope_at(length, end):
    """By which angle it has turned at a length [m] from the clamp."""
    return brentq(lambda angle: _length(angle, end) - length, 0.0, end, xtol=1e-15)


def end_slope():
    """By which angle the end of a rod of 1 m has turned."""
    return brentq(lambda angle: _length(angle, angle) - 1, 0.1, 1.57, xtol=1e-15)


def _length(angle, end):
    both = [ellipkinc(_amplitude(one, end), _parameter(end)) for one in (angle, 0.0)]
    return (both[0] - both[1]) / np.sqrt(PUSH)


def _parameter(end):
    return (1 + np.sin(end)) / 2


def _amplitude(angle, end):
    return np.arcsin(min(1.0, np.sqrt((1 + np.sin(angle)) / 2 / _parameter(end))))

"""Two strips that sag by their weight about a stand, release and parted at once: each falls and vibrates by
itself, as the modes of a beam with a rigid body at one end have it."""

import numpy as np
from scipy.optimize import brentq

from interstage.studies.verify import Row

from ..comparison import worst

PULL, BENDING, MASS = 9.80665, 350 / 3, 0.54
"""Weight by mass [m/s^2], EI [N m^2], mass by length [kg/m]."""
STRIPS = {"long": ("left", 1.0, 0.2, 1e-3), "short": ("right", 0.8, 0.15, 8e-4)}
"""Body at one end of each; length [m]; mass [kg] and inertia [kg m^2] of the body."""
COARSE, FINE = 16, 32
"""Elements."""
RELEASE = 5e-3
MODES, POINTS = 8, 80
ORDER = 0.1
"""How far an observed order may be from 2: of 16 elements the next term of a phase is a tenth of the first in
the second mode, a sixth in the third."""
SLOPE = 8e-3
"""Largest slope of the strips; what the modes leave out is of the order of its square."""
ROUNDING = 1e-11
STEPS = 1e-6
"""Part of the strain energy that steps of 5 us take from higher modes."""


def compare(fly, folder):
    """Loads and rest until the release, what is kept, and both strips after it."""
    records = []
    for count in (COARSE, FINE):
        changes = {f"forces.{strip}.elements": count for strip in STRIPS}
        records.append(fly(folder / "scenario.toml", **changes))
    yield from _held(records[1])
    yield from _kept(records[1])
    late = np.maximum(records[0].time - RELEASE, 0)
    for strip, (body, *numbers) in STRIPS.items():
        truth, rough, left = moved(late, *numbers)
        found = [_moved(record, strip, body, late) for record in records]
        for k, what in enumerate(("where its body is [m]", "bend of its end [m]")):
            coarse, fine = (one[k] - truth[k] for one in found)
            order = np.log2(np.linalg.norm(coarse) / np.linalg.norm(fine))
            told = f"of {worst(truth[k]):.1e} m"
            yield Row(f"{strip} strip, {what}: observed order less 2", abs(order - 2), ORDER)
            yield Row(f"{strip} strip, {what}", worst(fine), rough[k], told)
            yield Row(f"{strip} strip, {what}: extrapolated", worst((4 * fine - coarse) / 3), left[k], told)


def _held(record):
    """Weights and their moments before the release; rest until then."""
    weight = sum(PULL * (MASS * length + mass) for _, length, mass, _ in STRIPS.values())
    moment = PULL * MASS * STRIPS["short"][1] ** 2 / 2
    stand, seam = record.series["joints.stand.force"][0], record.series["joints.seam.torque"][0]
    yield Row("force on the stand, over it", abs(stand[2] / weight - 1), ROUNDING)
    yield Row("moment on the seam, over it", abs(abs(seam[1]) / moment - 1), SLOPE**2)
    before = record.time < RELEASE
    for strip in STRIPS:
        end = record.series[f"forces.{strip}.end"][before, 2]
        yield Row(f"{strip} strip moves before the release [m]", worst(end - end[0]), ROUNDING)


def _kept(record):
    """Energy, and momentum less the impulse of the weight."""
    after = record.time > RELEASE
    late = record.time[after] - RELEASE
    energy = record.series["system.energy"][after]
    strain = sum(record.series[f"forces.{strip}.energy"][0] for strip in STRIPS)
    yield Row("energy after the release, over that of the strains", worst(np.ptp(energy)) / strain, STEPS)
    mass = sum(MASS * length + own for _, length, own, _ in STRIPS.values())
    momentum = record.series["system.momentum"][after] + np.outer(late, [0, 0, mass * PULL])
    yield Row("momentum less the impulse of the weight [N s]", worst(momentum), ROUNDING)


def _moved(record, strip, body, late):
    """The body in free fall [m], and the end of its strip from where the body would have it [m]."""
    place = record.series[f"bodies.{body}.position"][:, 2] + PULL * late**2 / 2
    return place, record.series[f"forces.{strip}.end"][:, 2]


def moved(t, length, mass, inertia):
    """The same, times [s] after the release; with what segments of `FINE` elements and their extrapolation
    may be off. These slow a mode of wave number k by e = (k h)^2/24 of its frequency W, and (k h)^4/60; two
    meshes leave a quarter of (e W t)^2/2 and of the second of the coarser one."""
    nodes, weights = np.polynomial.legendre.leggauss(POINTS)
    x, weights = length * (nodes + 1) / 2, MASS * length * weights / 2
    sag = -MASS * PULL / (24 * BENDING) * x**2 * (6 * length**2 - 4 * length * x + x**2)
    rigid = np.stack([np.ones_like(x), x])
    whole = (rigid * weights) @ rigid.T + np.diag([mass, inertia])
    place = np.full_like(t, np.linalg.solve(whole, (rigid * weights) @ sag)[0])
    bend, rough, left = np.zeros_like(t), np.zeros(2), np.zeros(2)
    for k in wave_numbers(length, mass, inertia):
        (start, last), (slope, _) = shape(k, np.array([0.0, length]), length, mass, inertia)
        form = shape(k, x, length, mass, inertia)[0]
        size = np.sum(weights * form**2) + mass * start**2 + inertia * slope**2
        swing = np.sum(weights * form * sag) / size * np.array([start, last - start - length * slope])
        w, h = k**2 * np.sqrt(BENDING / MASS), length / FINE
        phase = w * t[-1] * (k * h) ** 2 / 24
        rough += abs(swing) * min(2.0, phase)
        left += abs(swing) * min(2.0, (4 * phase) ** 2 / 8 + w * t[-1] * (2 * k * h) ** 4 / 240)
        place, bend = place + swing[0] * np.cos(w * t), bend + swing[1] * np.cos(w * t)
    return (place, bend), rough, left


def wave_numbers(length, mass, inertia):
    """Of the first modes [1/m]."""

    def left(k):
        return np.linalg.det(conditions(k, length, mass, inertia))

    grid = np.linspace(1.0, (MODES + 2) * np.pi, 2000) / length
    values = np.array([left(k) for k in grid])
    places = np.flatnonzero(values[:-1] * values[1:] < 0)[:MODES]
    return np.array([brentq(left, grid[k], grid[k + 1], xtol=1e-13) for k in places])


def conditions(k, length, mass, inertia):
    """What cos kx, sin kx, exp(-kx) and exp(k (x - l)) must come to: EI w''' = M W^2 w and EI w'' = -J W^2 w'
    at the body, with W^2 = EI k^4/m; no moment and no force at the end. Derivatives are by k x."""
    cosine, sine, far = np.cos(k * length), np.sin(k * length), np.exp(-k * length)
    place, slope, bend, rate = np.array([[1, 0, 1, far], [0, 1, -1, far], [-1, 0, 1, far], [0, -1, -1, far]])
    return np.array(
        [
            rate - k * mass / MASS * place,
            bend + k**3 * inertia / MASS * slope,
            [-cosine, -sine, far, 1],
            [sine, -cosine, -far, 1],
        ]
    )


def shape(k, x, length, mass, inertia):
    """A mode and its slope [1/m] at places."""
    parts = np.linalg.svd(conditions(k, length, mass, inertia))[2][-1]
    near, far = np.exp(-k * x), np.exp(k * (x - length))
    cosine, sine = np.cos(k * x), np.sin(k * x)
    return parts @ [cosine, sine, near, far], k * parts @ [-sine, cosine, -near, far]

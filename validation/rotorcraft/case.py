"""The rotorcraft of AIAA 2011-6277 (section VI, Figure 4e), four blades that flap and lag in vacuum: blades
against closed forms; ground resonance against the equations of Coleman and Feingold (NACA Report 1351)."""

import numpy as np

from interstage.studies.verify import Row, linear_about

BLADES = [f"hinge_{k}" for k in range(1, 5)]
ROTOR = {"shaft": "shaft", "blades": BLADES}
COUNT, OFFSET, LENGTH, MASS, SPEED = 4, 0.3, 5.7, 60.0, 40.0
EDGE = OFFSET / (OFFSET + LENGTH)
ARM, WIDE = LENGTH / 2, 0.5
MOMENT = MASS * LENGTH**2 / 3
RATIO = 3 * EDGE / (2 * (1 - EDGE))
ROUNDED = 1e-9
"""Of a rate: rounding, times conditions of some thousands."""
WHOLE = 1500.0 + 80.0 + COUNT * MASS
GEAR = np.array([[6e5, 3e3], [9e5, 4e3]])
DAMPER = 400.0
SPEEDS = 5.0, 15.0, 20.0, 25.0, 28.0, 33.0, 45.0


def resonance(speed):
    """Eigenvalues of cosine and sine of the lag and of the hub along x and y, with a positive imaginary
    part."""
    first, moment = MASS * ARM, MOMENT + WIDE
    half = COUNT / 2 * first
    held = speed**2 * first * OFFSET - speed**2 * moment
    mass = np.diag([moment, moment, WHOLE, WHOLE])
    mass[0, 3], mass[1, 2], mass[2, 1], mass[3, 0] = first, -first, -half, half
    damping = np.diag([DAMPER, DAMPER, *GEAR[:, 1]])
    damping[0, 1], damping[1, 0] = 2 * speed * moment, -2 * speed * moment
    stiffness = np.diag([held, held, *GEAR[:, 0]])
    stiffness[0, 1], stiffness[1, 0] = speed * DAMPER, -speed * DAMPER
    slopes = -np.linalg.solve(mass, np.hstack([stiffness, damping]))
    values = np.linalg.eigvals(np.block([[np.zeros((4, 4)), np.eye(4)], [slopes]]))
    return values[values.imag > 0]


def compare(fly, folder):
    """Blades against each other in vacuum, a turn, and ground resonance over the speed of the rotor."""
    scenario = folder / "scenario.toml"
    linear = linear_about(scenario, rotor=ROTOR)
    yield Row("coordinates that are not 7 + n L", abs(len(linear.names) / 2 - (7 + 2 * COUNT)), 0.0)
    yield Row("A at six azimuths, of its largest entry", linear.spread, 1e-11)
    for name, axis, ratio in (("flap", "y", 1 + RATIO), ("lag", "z", RATIO * MOMENT / (MOMENT + WIDE))):
        own = [
            mode.eigenvalue
            for mode in linear.modes
            if mode.shares[linear.names.index(f"joints.hinge_1.rotation.{axis}.differential")] > 0.4
        ]
        off = abs(own[0].imag / SPEED - np.sqrt(ratio)) if len(own) == 1 else np.inf
        yield Row(f"frequency of differential {name}, of the rotor's", off, ROUNDED)
    turn = linear_about(scenario, rotor={"shaft": "shaft", "period": "turn"})
    wanted = np.exp(linear.eigenvalues * turn.period)
    away = [np.min(np.abs(wanted - mode.multiplier)) for mode in turn.modes if not mode.stays]
    yield Row("multipliers of a turn, from multi-blade coordinates", max(away), 1e-6)
    growing = 0
    for speed in SPEEDS:
        one = linear_about(folder / "resonance.toml", rotor=ROTOR, **{"joints.shaft.driven.rz.rate": speed})
        truth, found = resonance(speed), one.eigenvalues
        off = max(np.min(np.abs(found - value)) for value in truth) / np.max(np.abs(truth))
        yield Row(f"eigenvalues at {speed:g} rad/s, of the largest", off, ROUNDED)
        same = any(mode.grows for mode in one.modes) == bool(np.any(truth.real > 0))
        yield Row(f"ground resonance at {speed:g} rad/s that is not told", float(not same), 0.0)
        growing += int(np.any(truth.real > 0))
    yield Row("speeds that all are stable, or none", float(growing in (0, len(SPEEDS))), 0.0)

"""What guests in other simulators have in common: a start from Interstage's flight, and the two next to each
other as the host's step goes to nothing."""

import numpy as np

from interstage.studies.verify import Row

from .comparison import at, worst
from .convergence import order_rows

STATE = ("position", "attitude", "velocity", "angular_velocity")
UNITS = ("m", "1", "m/s", "rad/s")
LEFT = 0.01
"""Part of the difference at the smallest step that extrapolation by two orders may leave: each takes a
tenth."""


def state_at(record, names, time):
    """Positions, quaternions, velocities and rates (3 or 4, body) at a time [s] of Interstage's flight."""
    series = (
        np.stack([at(record, f"bodies.{body}.{what}", np.array([time]))[0] for body in names], 1)
        for what in STATE
    )
    return tuple(series)


def differences(record, names, end, found, joint, time):
    """Of a host's state at the end and of a joint's force at a time from those of Interstage, by quantity."""
    state, force = found
    ours = dict(zip(STATE, state_at(record, names, end)))
    turn = state[1] * np.sign(np.sum(state[1] * ours["attitude"], 0))
    theirs = dict(zip(STATE, (state[0], turn, *state[2:])))
    apart = {
        f"{what.replace('_', ' ')} [{unit}]": theirs[what] - ours[what] for what, unit in zip(STATE, UNITS)
    }
    return apart | {"joint force [N]": force - at(record, f"joints.{joint}.force", np.array([time]))[0]}


def rows(host, apart):
    """Rows of a host of first order, of differences with a step, its half and its quarter: the order, and
    what is left where the step is taken away."""
    one, two, four = apart
    sizes = [{name: worst(each) for name, each in found.items()} for found in (two, four)]
    yield from order_rows(host, *sizes, 1)
    for name, size in sizes[1].items():
        limit = (4 * (2 * four[name] - two[name]) - (2 * two[name] - one[name])) / 3
        yield Row(f"{name}: without a step, of {size:.1e}", worst(limit) / size, LEFT)

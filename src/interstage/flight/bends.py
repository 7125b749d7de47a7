"""Extremes of quantities that are on kinks, or beside jumps, and how they move.

The derivative of an extreme is that of the value at a fixed time (the envelope theorem) only where the value
rises and falls smoothly about it: f'(t) = 0 there. On a kink at t(p), f(t(p), p) changes along the kink, by
df/dp + f' dt/dp with the slope of either side. Steps end on kinks of tables over time and beside their jumps,
and move with these in a replay (`stepper.replay`): the extreme is then at the end of a step. Of all other
kinks it is not known how they move."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.minimal_coordinates import flow_of
from ..maths.arrays import jax
from ..record.record import SAME_TIME, pick, resolve
from ..stepper.control import shortest
from ..stepper.replay import BESIDE
from ..tree.errors import BadInput, Problem
from .observation import in_chunks
from .replay_plan import Moment
from .simulate import Flown

PARTS = 8.0 ** -np.arange(4, 0, -1)
"""Parts of a step before and after an extreme at which it is looked how far the quantity has dropped."""
SMOOTH = 8**1.5
"""How much larger drops over eight times the time are at least where they grow as its square, and at most
where they grow as the time: between 64 and 8."""
NOTICED = 1e-8
"""Part of its values by which a quantity has to drop for that to be no error of the flight. Over a step of h
a slope of 1e-6 f/h at a kink may go unnoticed, and a derivative be off by as much for each second that the
kink moves."""


def with_kink(one: Flown, quantity: str, moment: Moment) -> Moment:
    """The moment of an extreme of a quantity, as it moves. Raises BadInput where it is on a kink of which it
    is not known how that moves."""
    time = moment.until
    if not moment.extreme or not _bends(one, quantity, time):
        return moment
    row = int(np.argmin(np.abs(one.track.t_end - time)))
    if abs(one.track.t_end[row] - time) <= SAME_TIME * max(1.0, abs(time)) and _lands(one, row):
        return Moment(row)
    text = (
        f"has its extreme on a kink, at {time:.9g} s, and it is not known how that moves: there is no"
        " derivative. Known are kinks of tables over time, by methods that choose their steps; let other"
        " tables be splines, or ask for the value at an event"
    )
    raise BadInput(Problem(quantity, text))


def _bends(one: Flown, quantity: str, time: float) -> bool:
    """Whether the drops of a quantity from an extreme grow as the time, or jump, and not as its square."""
    track, near = one.track, SAME_TIME * max(1.0, abs(time))
    events = [event.time for event in one.record.events]
    cuts = np.array([float(track.t[0]), *events, float(one.cursor.t)])
    if (np.abs(cuts - time) <= near).any():
        return False
    long = track.t_end > track.t
    begin, end = track.t[long], track.t_end[long]
    about = (begin <= time + near) & (end >= time - near) & (end - begin > near)
    step = min(float(np.min((end - begin)[about])), float(np.min(np.abs(cuts - time))))
    times = time + step * np.concatenate([[0.0], -PARTS, PARTS])
    stem, component = resolve(one.record, quantity)
    values = pick(one.between.quantities(times, (stem,))[stem], component)
    drops = np.abs(values[1:] - values[0]).reshape(2, -1).max(0)
    seen = np.flatnonzero(drops[:-1] > NOTICED * np.max(np.abs(values)))
    return bool(seen.size) and bool(drops[seen[0] + 1] < SMOOTH * drops[seen[0]])


def _lands(one: Flown, row: int) -> bool:
    """Whether a step ends at, or beside, a time that moves with the numbers of the scenario."""
    if one.scenario.solver.fixed_step:
        return False
    track, table = one.track, one.program.table

    def points(mechanism: Any, t: Any, x: Any, discrete: Any) -> Any:
        found = flow_of(mechanism, table).landings(t, discrete)
        return np.concatenate([np.zeros((0, 1)), *(np.broadcast_to(p, (len(p), 1)) for p in found)])

    def look(*lanes: Any) -> Any:
        return one.program.of_samples(points)(one.scenario, one.first.reference, *lanes)

    some = slice(row, row + 1)
    state = track.t[some], track.x[some], jax.tree.map(lambda leaf: leaf[some], track.discrete)
    found, end = in_chunks(look, state, one.program.layout), float(track.t_end[row])
    return bool((np.abs(found - end) <= BESIDE * float(shortest(np.asarray(end)))).any())

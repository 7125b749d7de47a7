"""Derivatives of extremes at kinks of a quantity, or next to its jumps.

At a smooth extreme, f'(t) = 0. The derivative of the extreme then equals the derivative of the quantity at a
fixed time (envelope theorem). At a kink at time t(p), the derivative of f(t(p), p) is df/dp + f' dt/dp. The
slope f' of either side gives the same derivative, because f is continuous.

Integration steps end at kinks of tables over time and next to their jumps. A replay (`stepper.replay`) moves
these steps with the tables, so that the extreme stays at the end of a step. Other kinks depend on the state,
for example between layers of the atmosphere or at points of a Mach table. At such a kink, a value g of
`Flow.places` equals an integer n: g(t(p), p) = n, so dt/dp = -(dg/dp)/g'. The motion of all other kinks is
unknown. If the extreme moves off a kink, the derivative jumps.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..engine.minimal_coordinates import flow_of
from ..maths.arrays import jax, jnp, jvp
from ..observation.observation import in_chunks
from ..record.record import SAME_TIME, pick, resolve
from ..runs.run import Flown
from ..stepper.control import shortest
from ..stepper.replay import BESIDE
from ..tree.errors import BadInput, Problem
from .directions import Changing, Directions, Flying
from .replay_plan import Moment

PARTS = 8.0 ** -np.arange(4, 0, -1)
"""Times before and after an extreme at which the quantity is compared with the extreme, as fractions of a
step.
"""
SMOOTH = 8**1.5
"""Ratio of the drops at two times that differ by a factor of 8. This ratio separates a smooth extreme from a
kink.

The drop of a smooth extreme grows with the square of the time, by a factor of 64. At a kink, the drop grows
by a factor of 8.
"""
NOTICED = 1e-8
"""If the relative drop from an extreme is above this number, the drop is not an error of the flight.

In a step of h, a kink with a slope of 1e-6 f/h may therefore be missed. The derivative then has this error
for each second by which the kink moves.
"""
CUTS, ROUNDS = 16, 10
"""Number of parts into which the time interval around a kink is divided, and number of divisions.

After all divisions, 1e-12 of the interval remains.
"""
JUMP = 64.0
"""Factor that separates a kink from a jump.

At a time that is nearer to a kink by this factor, a continuous quantity has a drop that is smaller by the
same factor.
"""


class _About(NamedTuple):
    """Of a flight the quantity that has an extreme: its path without the component, that, when the extreme is
    [s], and the time to either side that is without events [s]."""

    one: Flown
    stem: str
    component: Any
    time: float
    step: float

    def values(self, times: Any) -> np.ndarray:
        """Of the quantity at times (n,)."""
        return pick(self.one.between.quantities(np.asarray(times), (self.stem,))[self.stem], self.component)

    def places(self, times: np.ndarray) -> np.ndarray:
        """Of the flow among its kinks at times (n,), (n, place)."""

        def places_of(mechanism: Any, t: Any, x: Any, discrete: Any) -> Any:
            return flow_of(mechanism, self.one.program.table).places(mechanism.here(t, x, discrete))

        def look(*lanes: Any) -> Any:
            return self.one.program.of_samples(places_of)(self.one.scenario, self.one.first.reference, *lanes)

        return in_chunks(look, self.one.between.at(times), self.one.program.layout)


def with_kink(one: Flown, quantity: str, moment: Moment) -> Moment:
    """Return the point of the flight at which an extreme occurs. The point moves with a kink of the quantity.

    - one: flight.
    - quantity: path of the quantity.
    - moment: point of the extreme.

    Without a kink, `moment` is returned. Raises BadInput if the extreme is at a kink whose motion is unknown.
    """
    time = moment.until
    step = _room(one, time) if moment.extreme else 0.0
    if not step:
        return moment
    about = _About(one, *resolve(one.record, quantity), time, step)
    if not _bends(about):
        return moment
    row = int(np.argmin(np.abs(one.track.t_end - time)))
    if abs(one.track.t_end[row] - time) <= SAME_TIME * max(1.0, abs(time)) and _lands(one, row):
        return Moment(row)
    passed = _kink_passage(about)
    if passed is not None:
        when, place = passed
        row = min(int(np.searchsorted(one.track.t_end, when)), len(one.track.t) - 1)
        return Moment(row, until=when, extreme=True, place=place)
    text = (
        f"the extreme value of {quantity} at {time:.9g} s has no derivative, because the quantity has a kink"
        " at this time. Smooth the model at this time, or use the value at an event. Only kinks of these"
        " models are supported: atmosphere layers, winds, tables of loads and laws, and, with adaptive steps,"
        " tables over time"
    )
    raise BadInput(Problem(quantity, text))


def _room(one: Flown, time: float) -> float:
    """The length of the steps around a time [s], or the time to the next event if that is less; zero at an
    event."""
    track, near = one.track, SAME_TIME * max(1.0, abs(time))
    events = [event.time for event in one.record.events]
    cuts = np.array([float(track.t[0]), *events, float(one.cursor.t)])
    if (np.abs(cuts - time) <= near).any():
        return 0.0
    long = track.t_end > track.t
    begin, end = track.t[long], track.t_end[long]
    about = (begin <= time + near) & (end >= time - near) & (end - begin > near)
    return min(float(np.min((end - begin)[about])), float(np.min(np.abs(cuts - time))))


def _bends(about: _About) -> bool:
    """Whether the drops of a quantity from an extreme grow as the time, or jump, and not as its square."""
    values = about.values(about.time + about.step * np.concatenate([[0.0], -PARTS, PARTS]))
    drops = np.abs(values[1:] - values[0]).reshape(2, -1).max(0)
    seen = np.flatnonzero(drops[:-1] > NOTICED * np.max(np.abs(values)))
    return bool(seen.size) and bool(drops[seen[0] + 1] < SMOOTH * drops[seen[0]])


def _lands(one: Flown, row: int) -> bool:
    """Whether a step ends at, or next to, a time that moves with the values of the scenario."""
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


def _kink_passage(about: _About) -> tuple[float, int] | None:
    """When [s] the flow passes the kink that an extreme is on, and by which of its places; none where the
    quantity is not at its extreme there, or jumps."""
    away = about.step * PARTS[-1]
    ends = about.places(about.time + away * np.array([-1.0, 1.0]))
    low, high = ends.min(0), ends.max(0)
    found = [
        _when(about, k, float(np.floor(high[k])), away) for k in np.flatnonzero(np.floor(high) > low).tolist()
    ]
    if not found:
        return None
    when, place = min(found, key=lambda one: abs(one[0] - about.time))
    near = away / JUMP
    values = about.values([about.time, when, when - near, when + near, when - away, when + away])
    least = NOTICED * np.max(np.abs(values))
    drops = np.abs(values[2:] - values[1]).reshape(2, 2).max(1)
    at_top = abs(values[1] - values[0]) <= least
    continuous = drops[0] <= max(least, 8 * drops[1] / JUMP)
    return (when, place) if at_top and continuous else None


def _when(about: _About, place: int, whole: float, away: float) -> tuple[float, int]:
    """When a place passes a whole number [s], next to an extreme, and which it is."""
    begin, end = about.time - away, about.time + away
    for _ in range(ROUNDS):
        times = np.linspace(begin, end, CUTS + 1)
        above = about.places(times)[:, place] >= whole
        k = int(np.argmax(above != above[0]))
        begin, end = float(times[k - 1]), float(times[k])
    return (begin + end) / 2, place


def along(
    one: Flown,
    scenario: Any,
    directions: Directions,
    flying: Flying,
    some: Changing,
    moments: Sequence[Moment],
    reference: Changing,
) -> Changing:
    """Return points of a flight with derivatives. Extremes at kinks that depend on the state are moved with
    the kink.

    - one: flight.
    - some: points (t, x, switches) with derivatives; the first axis is the point.
    - moments: description of each point.
    - reference: references from the start of the flight, with derivatives.
    """
    rows = [n for n, moment in enumerate(moments) if moment.place >= 0]
    if not rows:
        return some
    table = flying.program.table

    def places(mechanism: Any, where: Any) -> list[Any]:
        return [flow_of(mechanism, table).places(mechanism.here(*where))]

    def speeds(mechanism: Any, t: Any, x: Any, discrete: Any) -> Any:
        flow = flow_of(mechanism, table)
        own = flow.own(t, x, discrete)

        def places_of(t: Any, own: Any) -> Any:
            x = flow.ordinary(t, own, discrete)
            return flow.places(mechanism.here(t, x, discrete)), x

        return jvp(places_of, (t, own), (jnp.ones_like(t), flow.derivative(t, own, discrete)))[1]

    ((_, change),) = directions.of_places(scenario, flying, places, some.part(rows), reference)
    t, x, discrete = some.part(rows).value
    known = one.scenario, one.first.reference
    rate, slope = in_chunks(
        lambda *lanes: flying.program.of_samples(speeds)(*known, *lanes),
        (t, x, discrete),
        flying.program.layout,
    )
    moved: list[Any] = [None if part is None else np.array(part) for part in some.changes]
    for n, row in enumerate(rows):
        k = moments[row].place
        later = -change[k, n] / rate[n, k]
        moved[0][row] += later
        moved[1][row] += slope[n][:, None] * later
    return Changing(some.value, moved)

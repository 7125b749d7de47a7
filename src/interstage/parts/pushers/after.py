"""Warnings after a flight about pushers without `axis` whose two end points coincided while they pushed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...engine.lines_of_action import meetings
from ...maths.arrays import jnp
from ...maths.vectors import rotate_back
from .declared import Pusher

if TYPE_CHECKING:
    from ...observation.after import Flown


def add(flown: Flown) -> None:
    """Add a warning to the record of a flight for each pusher whose two end points coincided while it
    pushed.
    """
    there: Any = flown.layout.parts.get("pushers")
    if there is None or there.form.axial.all() or not len(flown.track.t):
        return
    pushers: list[Pusher] = there.of(flown.scenario)
    times, (gaps, least) = flown.along_track(_gaps)
    for k, time in meetings(times, gaps, least):
        pusher = pushers[k]
        if pusher.axis is None:
            flown.record.warnings.append(
                f"devices.{pusher.name}: the two ends of the device coincided at {time:.6g} s while it "
                "pushed. The force then has no direction, and the later motion depends on rounding errors. "
                "Set axis to the direction of the force in the parent's structural frame."
            )


def _gaps(mechanism: Any, t: Any, x: Any, discrete: Any) -> tuple[Any, Any]:
    """Vectors from the parent's end to the child's end (3, pusher, *cases) [m], axes of the parent, and
    minimum lengths of the lines (pusher, *cases) [m]. Vectors of inactive pushers are NaN."""
    from .flown import pairs_of, spans

    here = mechanism.here(t, x, discrete)
    motion = here.moving_at(*mechanism.parts["pushers"].ends)
    pairs, acts = pairs_of(here.mechanism, motion), discrete.own["pushers"].pushing > 0
    gap = rotate_back(pairs.rotation_a, pairs.gap)
    return jnp.where(acts, gap, jnp.nan), spans(here.mechanism, motion).least

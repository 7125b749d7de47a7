"""Warnings after a flight about springs with a free length whose two end points coincided while they
acted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...engine.lines_of_action import meetings
from ...maths.arrays import jnp
from ...maths.vectors import rotate_back

if TYPE_CHECKING:
    from ...observation.after import Flown


def add(flown: Flown) -> None:
    """Add a warning to the record of a flight for each spring whose end points coincided while it acted.

    A spring with zero free length causes no warning, because its force is smooth at zero length.
    """
    there: Any = flown.layout.parts.get("springs")
    if there is None or not len(flown.track.t):
        return
    times, (gaps, least) = flown.along_track(_gaps)
    springs = there.of(flown.scenario)
    for k, time in meetings(times, gaps, least):
        flown.record.warnings.append(
            f"forces.{springs[k].name}: the two ends of the spring coincided at {time:.6g} s. The spring "
            "force then has no direction, and the later motion depends on rounding errors. Set free_length "
            "= 0, or keep the ends apart."
        )


def _gaps(mechanism: Any, t: Any, x: Any, discrete: Any) -> tuple[Any, Any]:
    """Vectors from the parent's end to the child's end (3, spring, *cases) [m], axes of the parent, and
    minimum lengths of the lines (spring, *cases) [m]. Vectors of springs without force are NaN."""
    here, part = mechanism.here(t, x, discrete), mechanism.parts["springs"]
    pairs, (found, push) = part.spans(here.mechanism, here.moving_at(*part.ends))
    acts = jnp.stack([part.acting(here, spring) for spring in part.items]) * jnp.where(push > 0, 1.0, 0.0)
    return jnp.where(acts > 0, rotate_back(pairs.rotation_a, pairs.gap), jnp.nan), found.least

"""Warnings about unbalanced moments of the trim, with amount and signals at their limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...maths.arrays import jnp
from ...maths.vectors import norm
from ...model.trim import AXES
from .signals import signals
from .trim import bounds, moments

if TYPE_CHECKING:
    from ...observation.after import Flown

LEVER = 1e-6
"""A moment counts as balanced if it is below the sum of the forces times this distance [m]. The distance is
smaller than the uncertainty of a centre of mass.
"""


def unbalanced_axes(flown: Flown) -> list[str]:
    """Return a warning for each axis that the trim did not balance at some time of the flight."""
    trim = flown.scenario.balance

    def look(mechanism: Any, t: Any, x: Any, discrete: Any) -> Any:
        here = mechanism.here(t, x, discrete)
        forces = jnp.sum(norm(here.wrench[:3, : mechanism.layout.count]), 0)
        values = jnp.stack([signals(here)[name] for name in trim.signals])
        ends = [jnp.stack(each) for each in zip(*(bounds(here, name) for name in trim.signals), strict=True)]
        return moments(here, trim.axes), forces, (values <= ends[0]) | (values >= ends[1])

    found = flown.of_states(np.arange(len(flown.track.t)), look, ends=True)
    left, forces, stopped = (np.asarray(part) for part in found)
    times = np.asarray(flown.track.t_end)
    said = []
    for k, axis in enumerate(trim.axes):
        away = np.flatnonzero(np.abs(left[:, k]) > LEVER * forces)
        if away.size:
            worst = away[np.argmax(np.abs(left[away, k]))]
            at = [name for name, there in zip(trim.signals, stopped[worst], strict=True) if there]
            why = f"limits of {' and '.join(at)} were reached" if at else "the signals have too little effect"
            when = f"between {times[away[0]]:.6g} s and {times[away[-1]]:.6g} s"
            said.append(
                f"Trim: {AXES[axis]} was not balanced {when}:"
                f" the residual moment reached {left[worst, k]:.4g} N m at {times[worst]:.6g} s. Cause:"
                f" {why}."
            )
    return said

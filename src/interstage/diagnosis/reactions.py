"""Warn of models of other packages that apply a load to one body without the reaction on another body.

A model that declares external loads (`outside`) gets no warning.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..engine.answers import part_text
from ..engine.body_loads import loads_of
from ..engine.contract import Part
from ..engine.layout import Layout
from ..engine.mechanism import Mechanism
from ..maths.arrays import jax, jnp
from ..maths.vectors import cross, norm, rotate
from ..observation.observation import Track, in_chunks
from ..programs.program import Program
from ..tree import packages

LOOKED_AT = 256
"""Number of states of a flight in which loads are summed. The states are evenly distributed."""
LOST = 1e-6
"""Resultant load above which momentum is not conserved, relative to the sum of the magnitudes of the
loads.
"""


def missing_reactions(program: Program, scenario: Any, reference: Any, track: Track) -> list[str]:
    """Return one warning for each model of another package that should conserve momentum but does not."""
    parts = list(_keeping(program.layout))
    if not parts or not len(track.t):
        return []
    rows = np.unique(np.linspace(0, len(track.t) - 1, LOOKED_AT).astype(int))
    states = [jax.tree.map(lambda leaf: leaf[rows], each) for each in (track.t, track.x, track.discrete)]
    look = program.of_samples(left_over)
    try:
        found = in_chunks(lambda *lanes: look(scenario, reference, *lanes), states, program.layout)
    except Exception as error:
        # A model that works traced by JAX may fail by NumPy. This is reported, and costs no flight.
        package = packages.package_of_error(error)
        if package is None:
            raise
        return [f"{packages.fault(error, package, scenario)}."]
    times = np.asarray(track.t)[rows]
    return [
        text for part in parts if part.name in found for text in _sentences(part, times, found[part.name])
    ]


def _keeping(layout: Layout) -> Iterator[Part]:
    """Models of other packages that keep momentum and angular momentum, by their declarations."""
    for part in layout.parts.values():
        others = packages.home(type(part)) is not None and part.group
        if others and not any({"momentum", "angular_momentum"} & one.changes for one in part.items):
            yield part


def left_over(mechanism: Mechanism, t: Any, x: Any, discrete: Any) -> dict[str, Any]:
    """Return the resultant loads of each model as an array (4, *cases), by model name.

    The first two rows are the magnitude of the resultant force, and the sum of the magnitudes of the forces
    [N]. The last two rows are the same values of the torques about the local origin [N m].
    """
    here, layout = mechanism.here(t, x, discrete), mechanism.layout
    motion, found = here.motion, {}
    for part in _keeping(layout):
        share = part.wrench(here)
        if share is not None:
            share = loads_of(part, share, layout.count, here)
            force, own = share[:3], rotate(motion.rotation, share[3:])
            moment = cross(motion.position, force)
            sums = norm(jnp.sum(force, 1)), norm(jnp.sum(own + moment, 1))
            sizes = jnp.sum(norm(force), 0), jnp.sum(norm(own) + norm(motion.position) * norm(force), 0)
            rows = jnp.stack([sums[0], sizes[0], sums[1], sizes[1]])
            found[part.name] = jnp.broadcast_to(rows, (4, *x.shape[1:]))
    return found


def _sentences(part: Part, times: np.ndarray, found: np.ndarray) -> Iterator[str]:
    """found (state, 4): as in `left_over`."""
    remedy = (
        'Return the reaction on the other body in `wrench`, or set `outside = frozenset({"momentum",'
        ' "angular_momentum"})` in the declaration of the model if the load is external'
    )
    for what, unit, (left, size) in (("force", "N", found.T[:2]), ("torque", "N m", found.T[2:])):
        lost = np.where(left > LOST * size, left, 0.0)
        if lost.any():
            row = int(np.argmax(lost))
            amount = f"up to {lost[row]:.4g} {unit} at {times[row]:.6g} s"
            lost_by = f"The{part_text(part)[3:]} applies a {what} without its reaction"
            yield f"{lost_by}, {amount}. {remedy}."
            return

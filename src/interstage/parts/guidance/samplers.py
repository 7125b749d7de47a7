"""Laws that take samples: inputs and results of a sample, for each kind of law."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ...maths.arrays import jax, jnp
from . import drag_tracking, powered, users
from .declared import EntryGuidance, PoweredGuidance, UserGuidance

if TYPE_CHECKING:
    from ...engine.here import Here
    from .laws import Ready
    from .stance import View


class Sampler(NamedTuple):
    """Functions of one kind of sampled law.

    - `count(law)`: number of values that a sample reads.
    - `seen`: these values (count, *cases).
    - `nothing(law, time, due)`: memory before the first sample.
    - `sampled(law, planet, kept, time, rows, begins)`: memory after a sample. `begins` [s] (*cases): start of
      the law, and other times from which it measures times.
    - `since(kept)`: time of the last sample [s].
    - `why`: reason why a law gave up, by its status.
    - `then`: action of the law after it gave up."""

    count: Callable[[Any], int]
    seen: Callable[[Ready, View, Here], Any]
    nothing: Callable[[Any, Any, Any], Any]
    sampled: Callable[[Any, Any, Any, Any, Any, Any], Any]
    since: Callable[[Any], Any]
    why: Mapping[int, str]
    then: str


def _powered_inputs(ready: Ready, view: View, here: Here) -> Any:
    """Position, velocity and mass of the stack."""
    mass = view.read(f"bodies.{ready.law.body}.stack_mass")
    return jnp.concatenate([view.position, view.velocity, jnp.broadcast_to(mass, here.t.shape)[None]])


SAMPLERS: Mapping[type, Sampler] = {
    PoweredGuidance: Sampler(
        lambda law: powered.SEEN,
        _powered_inputs,
        lambda law, time, due: powered.nothing(time, due),
        powered.take_sample,
        lambda kept: kept.memory.time,
        powered.WHY,
        "kept its last steering command",
    ),
    EntryGuidance: Sampler(
        lambda law: len(drag_tracking.Seen._fields),
        drag_tracking.sample_inputs,
        lambda law, time, due: drag_tracking.nothing(time, due),
        lambda law, planet, kept, time, rows, begins: drag_tracking.take_sample(
            law, kept, time, rows, begins[0]
        ),
        lambda kept: kept.time,
        drag_tracking.WHY,
        "continued at the limits of its command",
    ),
    UserGuidance: Sampler(
        users.count,
        users.rows,
        users.nothing,
        lambda law, planet, kept, time, rows, begins: users.take_sample(law, kept, time, rows, begins[0]),
        lambda kept: kept.time,
        {},
        "",
    ),
}


def is_sampled(law: Any) -> bool:
    """Return whether a law takes samples."""
    return type(law) in SAMPLERS and law.period is not None


def chosen(where: Any, new: Any, old: Any) -> Any:
    """Return a memory with the new values where `where` is true."""
    return jax.tree.map(lambda one, other: jnp.where(where, one, other), new, old)

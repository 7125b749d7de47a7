"""Guidance laws that take samples: functions for the inputs and results of a sample, by kind of law."""

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

    - `count(law)`: number of inputs of a sample.
    - `seen(ready, view, here)`: inputs of a sample (count, *cases).
    - `nothing(law, time, due)`: stored data before the first sample.
    - `sampled(law, planet, kept, time, rows, begins)`: stored data after a sample. rows: the inputs. begins:
      list of times [s] (*cases), which are the start of the law, and other events from which it measures
      times.
    - `since(kept)`: time of the last sample [s].
    - `why`: reason of a failure, by status.
    - `then`: text that states the behaviour of the law after a failure.
    """

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
    """Return whether a guidance law takes samples."""
    return type(law) in SAMPLERS and law.period is not None


def chosen(where: Any, new: Any, old: Any) -> Any:
    """Return a tree of arrays with the entries of `new` in the cases where `where` (*cases) is true,
    otherwise with the entries of `old`.
    """
    return jax.tree.map(lambda one, other: jnp.where(where, one, other), new, old)

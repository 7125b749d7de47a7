"""Guidance laws of the user's own: a class, with a state that changes at samples, and one that moves on in
between."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from ...maths.arrays import jax, jnp
from ...maths.vectors import norm
from ...model import user_class
from ...tree.errors import BadInput, Problem
from .declared import CALLS

if TYPE_CHECKING:
    from ...engine.here import Here
    from .laws import Ready
    from .stance import View


class State(NamedTuple):
    """What a law's methods are handed: `kept`, what `start` gave and `sample` changes, any tree of arrays,
    cases last; `moving` (*shape, *cases), what `begin` gave and `rates` moves. None where it has none."""

    kept: Any
    moving: Any


class Kept(NamedTuple):
    """What is kept between samples: the time of the last one [s] (*cases), the user's own, and when the next
    one is due [s], inf for never."""

    time: Any
    own: Any
    due: Any


def method(law: Any, name: str) -> Any:
    """A method of the object of a law. Raises BadInput where it cannot be had."""
    named = user_class.Named(law.class_path, f"guidance.{law.name}.class", CALLS[name], name)
    return user_class.made(named, law.parameters)


def _refused(law: Any, says: str) -> BadInput:
    return BadInput(Problem(f"guidance.{law.name}.class", f"{law.class_path} {says}"))


def attitude(ready: Ready, view: View) -> Any:
    """The attitude (4, *cases) that a law asks for."""
    law, state = ready.law, State(None if view.memory is None else view.memory.own, view.moving)
    found = method(law, "__call__")(view.time, _seen(law.measures, view), state)
    quaternion = _fitted(law, "__call__", found, (4, *view.time.shape))
    return quaternion / norm(quaternion)


def _fitted(law: Any, name: str, value: Any, shape: tuple[int, ...]) -> Any:
    try:
        return user_class.fitted(value, shape)
    except ValueError as error:
        raise _refused(law, f"{error}, of {name}{CALLS[name]}") from None


def _seen(names: tuple[str, ...], view: View) -> dict[str, Any]:
    """Position and velocity of the body, inertial axes, the time since the law's moment, and quantities."""
    own = {"position": view.position, "velocity": view.velocity, "elapsed": view.elapsed}
    return own | {name: view.read(name) for name in names}


# --- what moves on ------------------------------------------------------------------------------------------


def size(law: Any) -> int:
    """How many numbers of the state move on."""
    shape = getattr(law, "moving", None)
    return 0 if shape is None else prod(shape)


def begun(law: Any, time: Any) -> Any:
    """These at a time [s], one behind the other (number, *cases)."""
    return _flat(law, "begin", method(law, "begin")(time), time)


def rates(ready: Ready, view: View) -> Any:
    """Their rates (number, *cases)."""
    law, state = ready.law, State(None if view.memory is None else view.memory.own, view.moving)
    found = method(law, "rates")(view.time, _seen(law.measures, view), state)
    return _flat(law, "rates", found, view.time)


def shaped(law: Any, numbers: Any) -> Any:
    """As the law has them, (*shape, *cases)."""
    return numbers.reshape(*law.moving, *numbers.shape[1:])


def _flat(law: Any, name: str, value: Any, time: Any) -> Any:
    lanes = time.shape
    found = jnp.asarray(value, float)
    if found.shape == tuple(law.moving):
        found = found.reshape(*law.moving, *(1,) * len(lanes))
    if found.shape[: len(law.moving)] != tuple(law.moving) or len(found.shape) != len(law.moving) + len(
        lanes
    ):
        wanted = (*law.moving, *lanes)
        raise _refused(
            law, f"returned an array {found.shape} where {wanted} is expected, of {name}{CALLS[name]}"
        )
    return jnp.broadcast_to(found, (*law.moving, *lanes)).reshape(size(law), *lanes)


# --- samples ------------------------------------------------------------------------------------------------

OWN_ROWS = 3 + 3 + 1
"""Rows of what every sample reads: position, velocity, time since the law's moment."""


def count(law: Any) -> int:
    """How many numbers a sample reads, of what moves on, too."""
    return OWN_ROWS + len(law.measures) + len(law.samples) + size(law)


def rows(ready: Ready, view: View, here: Here) -> Any:
    """What a sample reads, side by side (`count`, *cases)."""
    law, lanes = ready.law, here.t.shape
    seen = _seen((*law.measures, *law.samples), view)
    found = [
        jnp.broadcast_to(row if k < 2 else row[None], (3 if k < 2 else 1, *lanes))
        for k, row in enumerate(seen.values())
    ]
    moving = [] if view.moving is None else [view.moving.reshape(size(law), *lanes)]
    return jnp.concatenate([*found, *moving])


def nothing(law: Any, time: Any, due: Any) -> Kept:
    """What is kept before the first sample, which is due at a time [s]."""
    own = method(law, "start")(time)
    lanes = time.shape

    def wide(leaf: Any) -> Any:
        leaf = jnp.asarray(leaf)
        if leaf.shape[leaf.ndim - len(lanes) :] == lanes:
            return leaf
        return jnp.broadcast_to(leaf.reshape(*leaf.shape, *(1,) * len(lanes)), (*leaf.shape, *lanes))

    return Kept(time, jax.tree.map(wide, own), due)


def sampled(law: Any, kept: Kept, time: Any, found: Any, begin: Any) -> Kept:
    """What is kept after a sample at a time [s], in the shapes that it had."""
    names = (*law.measures, *law.samples)
    seen = {"position": found[:3], "velocity": found[3:6], "elapsed": found[6]}
    seen |= {name: found[OWN_ROWS + k] for k, name in enumerate(names)}
    moving = shaped(law, found[OWN_ROWS + len(names) :]) if size(law) else None
    new = method(law, "sample")(time, seen, State(kept.own, moving))
    if jax.tree.structure(new) != jax.tree.structure(kept.own):
        raise _refused(law, "returned of sample another structure than start gave; return the same one")

    def same(one: Any, other: Any) -> Any:
        if jnp.shape(one) not in (jnp.shape(other), jnp.shape(other)[: jnp.ndim(one)]):
            told = f"returned of sample an array {jnp.shape(one)} where start gave {jnp.shape(other)}"
            raise _refused(law, f"{told}; keep the shape, with the lanes last")
        extra = (1,) * (jnp.ndim(other) - jnp.ndim(one))
        return jnp.broadcast_to(jnp.reshape(one, (*jnp.shape(one), *extra)), jnp.shape(other))

    number = jnp.round((kept.due - begin) / law.period)
    due = begin + (number + 1) * law.period
    return Kept(time + jnp.zeros_like(due), jax.tree.map(same, new, kept.own), due)

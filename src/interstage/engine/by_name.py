"""Continue arrays from one mission leg to the next, by the names of bodies, joints and items of models."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..maths.arrays import jax, jnp
from ..model.attachments import pick

if TYPE_CHECKING:
    from .contract import Part


def by_name(
    names: Sequence[Hashable], earlier: Sequence[Hashable], before: Any, fresh: Any, axis: int = 0
) -> Any:
    """Return an array with one entry for each name in `names` along an axis.

    Return an entry of the preceding leg `before`, whose entries have the names `earlier`. If a name occurs
    twice in `earlier`, the last entry is used. If this entry is missing, return the entry of `fresh`, whose
    entries have the names `names`.
    """
    if tuple(names) == tuple(earlier):
        return before
    old = {name: k for k, name in enumerate(earlier)}
    places = [old.get(name, len(earlier) + k) for k, name in enumerate(names)]
    if any(place >= len(earlier) for place in places):
        before = jnp.concatenate([before, fresh], axis)
    return pick(before, np.array(places, int), axis)


def of_items(part: Part, earlier: Part, before: Any, fresh: Any) -> Any:
    """Return a tree of arrays (item, ..., *cases) of a model, continued from the preceding leg by the names
    of the items.

    - part, earlier: the model in this leg and in the preceding leg.
    - before, fresh: arrays at the end of the preceding leg, and arrays of a new start.

    The result is `fresh` if the structures of the trees differ, if shapes after the item axis differ, or if
    the items are not the first axis.
    """
    names, known = ([item.name for item in each.items] if each.group else [] for each in (part, earlier))
    old, new = _trailing_shapes(before, len(known)), _trailing_shapes(fresh, len(names))
    if old != new or "" in jax.tree.leaves(new):
        return fresh
    return jax.tree.map(lambda a, b: by_name(names, known, a, b), before, fresh)


def _trailing_shapes(tree: Any, items: int) -> Any:
    """The tree with the shape after the item axis of each array, as a text. The text is "" if the items are
    not the first axis."""
    return jax.tree.map(lambda a: str(np.shape(a)[1:]) if np.shape(a)[:1] == (items,) else "", tree)

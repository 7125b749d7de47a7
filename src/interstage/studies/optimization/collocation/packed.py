"""Pack the switches (discrete states) of a phase into one array, and unpack them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....maths.arrays import jax, jnp


class Packing:
    """Layout of a tree of arrays in one array. Real numbers come first, then integers and Boolean values,
    each in the order of the leaves.
    """

    def __init__(self, tree: Any) -> None:
        leaves, self.tree = jax.tree.flatten(tree)
        self.shapes = [np.shape(leaf) for leaf in leaves]
        self.kinds = [np.asarray(leaf).dtype for leaf in leaves]
        self.real = [k for k, kind in enumerate(self.kinds) if kind.kind == "f"]
        self.order = self.real + [k for k in range(len(leaves)) if k not in self.real]
        self.sizes = [int(np.prod(shape)) for shape in self.shapes]
        self.reals = sum(self.sizes[k] for k in self.real)
        self.count = sum(self.sizes)

    def pack(self, tree: Any, only_real: bool = False) -> Any:
        """Return the contents of a tree as one array (value, *cases). Each leaf has one case axis.

        only_real: whether only real numbers are returned.
        """
        leaves = jax.tree.leaves(tree)
        some = self.real if only_real else self.order
        parts = [jnp.asarray(leaves[k], float).reshape(self.sizes[k], -1) for k in some if self.sizes[k]]
        lanes = max((part.shape[1] for part in parts), default=1)
        return jnp.concatenate(
            [jnp.zeros((0, lanes)), *(jnp.broadcast_to(p, (p.shape[0], lanes)) for p in parts)]
        )

    def unpack(self, numbers: Any) -> Any:
        """Return the tree of arrays from its packed array (value, case)."""
        leaves: list[Any] = [None] * len(self.shapes)
        first = 0
        for k in self.order:
            own = numbers[first : first + self.sizes[k]].reshape(*self.shapes[k], numbers.shape[1])
            leaves[k] = own if k in self.real else own.astype(self.kinds[k])
            first += self.sizes[k]
        return jax.tree.unflatten(self.tree, leaves)

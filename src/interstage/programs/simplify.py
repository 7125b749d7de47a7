"""Simplify traced programs (JAX's jaxpr): fewer equations that compute exactly the same numbers.

Unused equations, repeated equations, and arrays that are joined and then divided again are removed. The
compiler would also remove these operations, but only after lowering all equations. This module saves the time
of this lowering.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np


def lean(traced: Any) -> Any:
    """Return a simplified closed jaxpr with the same arguments and results.

    Equations in loops and branches are also simplified. traced: closed jaxpr.
    """
    with suppress(Exception):  # no interface of JAX's
        return _Lean().of(traced)
    return traced


SMALL = 16
"""Maximum number of equations of a function whose call is replaced by its equations."""


class _Lean:
    """Makes jaxprs lean, each once: one that stands in many places is lowered once."""

    def __init__(self) -> None:
        self._known: dict[int, Any] = {}
        self._forms: dict[int, Any] = {}

    def of(self, value: Any) -> Any:
        """The same of what an equation holds: a jaxpr, or several."""
        if isinstance(value, (tuple, list)):
            parts = [self.of(part) for part in value]
            if all(part is old for part, old in zip(parts, value, strict=True)):
                return value
            return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
        if not (closed := hasattr(value, "jaxpr")) and not hasattr(value, "eqns"):
            return value
        if id(value) not in self._known:
            found = value.replace(jaxpr=self._once(value.jaxpr)) if closed else self._once(value)
            self._known[id(value)] = value, found
        return self._known[id(value)][1]

    def same(self, one: Any, other: Any) -> bool:
        """Whether two jaxprs, or two lists of them, are equal but for the names of values."""
        try:
            return one is other or self._form(one) == self._form(other)
        except TypeError:  # what cannot be compared
            return False

    def _form(self, value: Any) -> Any:
        """A jaxpr with numbers for its values."""
        if isinstance(value, (tuple, list)):
            return tuple(map(self._form, value))
        jaxpr = getattr(value, "jaxpr", value)
        if jaxpr is not value and value.consts:
            raise TypeError("it has arrays")
        if id(jaxpr) not in self._forms:
            self._forms[id(jaxpr)] = jaxpr, self._number_values(jaxpr)
        return self._forms[id(jaxpr)][1]

    def _number_values(self, jaxpr: Any) -> Any:
        numbers: dict[int, int] = {}

        def number_all(values: Any) -> Any:
            return tuple([(numbers.setdefault(id(value), len(numbers)), str(value.aval)) for value in values])

        def key_of(value: Any) -> Any:
            return _key(value) if hasattr(value, "val") else numbers[id(value)]

        found = [number_all((*jaxpr.constvars, *jaxpr.invars))]
        for equation in jaxpr.eqns:
            plain, nested = _params(equation)
            given, inside = tuple(map(key_of, equation.invars)), self._form(nested)
            found.append((equation.primitive, given, plain, inside, number_all(equation.outvars)))
        return (*found, tuple(map(key_of, jaxpr.outvars)))

    def _once(self, jaxpr: Any) -> Any:
        """Without what stands there twice, and then without what nobody reads."""
        room = _Room(self)
        for equation in jaxpr.eqns:
            room.add(equation)
        results = [room.now(value) for value in jaxpr.outvars]
        return jaxpr.replace(eqns=_read(room.kept, results), outvars=results)


def _read(equations: list[Any], results: list[Any]) -> list[Any]:
    """Of some equations those that lead to results, or do something else."""
    wanted, kept = {id(value) for value in results}, []
    for equation in reversed(equations):
        if equation.effects or not wanted.isdisjoint(map(id, equation.outvars)):
            wanted |= {id(value) for value in equation.invars}
            kept.append(equation)
    return kept[::-1]


class _Room:
    """The equations of one jaxpr, put in one after the other."""

    def __init__(self, lean: _Lean):
        self._lean = lean
        self.kept: list[Any] = []
        self._put_in: list[Any] = []  # kept alive, as values are reported by their addresses
        self._stands_for: dict[int, Any] = {}
        self._alike: dict[Any, Any] = {}
        self._made_by: dict[int, Any] = {}

    def now(self, value: Any) -> Any:
        """What stands for a value."""
        return self._stands_for.get(id(value), value)

    def add(self, equation: Any) -> None:
        """Put in an equation, unless its results are there already; of a small function its own ones."""
        self._put_in.append(equation)
        inner = _function(equation)
        if inner is not None:
            self._inline(equation, inner)
            return
        values = [self.now(value) for value in equation.invars]
        if any(new is not old for new, old in zip(values, equation.invars, strict=True)):
            equation = equation.replace(invars=values)
        params = {name: self._lean.of(value) for name, value in equation.params.items()}
        if any(params[name] is not value for name, value in equation.params.items()):
            equation = equation.replace(params=params)
        same = None if equation.effects else self._there(equation)
        if same is None:
            self.kept.append(equation)
            self._made_by.update((id(value), equation) for value in equation.outvars)
        else:
            self._stands_for.update(
                (id(value), one) for value, one in zip(equation.outvars, same, strict=True)
            )

    def _inline(self, equation: Any, inner: Any) -> None:
        """Put in the equations of a function in place of its call."""
        known = {id(own): self.now(value) for own, value in zip(inner.invars, equation.invars, strict=True)}
        for one in inner.eqns:
            results = [type(value)(value.aval) for value in one.outvars]
            given = [known.get(id(value), value) for value in one.invars]
            self.add(one.replace(invars=given, outvars=results))
            known.update((id(value), self.now(new)) for value, new in zip(one.outvars, results, strict=True))
        found = [known.get(id(value), value) for value in inner.outvars]
        self._stands_for.update((id(value), one) for value, one in zip(equation.outvars, found, strict=True))

    def _there(self, equation: Any) -> Any:
        """What the results of an equation are already; None of those that are new."""
        part = self._part(equation)
        if part is not None:
            return (part,)
        try:
            given = tuple(map(_key, equation.invars))
            plain, nested = _params(equation)
            alike = self._alike.setdefault((equation.primitive, given, plain), [])
        except TypeError:  # what cannot be compared
            return None
        for others, results in alike:
            if all(map(self._lean.same, nested, others)):
                return results
        alike.append((nested, equation.outvars))
        return None

    def _part(self, equation: Any) -> Any:
        """The part that an equation takes out of what was put together of it."""
        name = equation.primitive.name
        if name == "slice":
            return self._slice(equation)
        if name == "squeeze":
            return self._undo_stack(equation)
        return self._undo_reshape(equation) if name == "reshape" else None

    def _slice(self, equation: Any) -> Any:
        """One of the parts of a concatenation, as a whole."""
        whole, params = self._made_by.get(id(equation.invars[0])), equation.params
        if whole is None or whole.primitive.name != "concatenate" or params["strides"] is not None:
            return None
        axis, end, wanted = whole.params["dimension"], 0, equation.outvars[0].aval.shape
        for part in whole.invars:
            begin, end = end, end + part.aval.shape[axis]
            if begin == params["start_indices"][axis] and part.aval.shape == wanted:
                return part
        return None

    def _undo_reshape(self, equation: Any) -> Any:
        """An array that was reshaped, and is so again to its first shape."""
        before = self._made_by.get(id(equation.invars[0]))
        if before is None or before.primitive.name != "reshape":
            return None
        plain = before.params["dimensions"] is None and equation.params["dimensions"] is None
        first = before.invars[0]
        return first if plain and first.aval.shape == equation.outvars[0].aval.shape else None

    def _undo_stack(self, equation: Any) -> Any:
        """One of the arrays of a stack."""
        row = self._made_by.get(id(equation.invars[0]))
        if row is None or row.primitive.name != "slice" or row.params["strides"] is not None:
            return None
        whole = self._made_by.get(id(row.invars[0]))
        if whole is None or whole.primitive.name != "stack":
            return None
        axis = whole.params["axis"]
        if equation.params["dimensions"] != (axis,):
            return None
        part = whole.invars[row.params["start_indices"][axis]]
        return part if part.aval.shape == equation.outvars[0].aval.shape else None


def _function(equation: Any) -> Any:
    """What a call of a small function does, or of one with a rule for derivatives; none of others."""
    name, params = equation.primitive.name, equation.params
    closed = params.get({"jit": "jaxpr", "custom_jvp_call": "call_jaxpr"}.get(name, ""))
    if closed is None or closed.consts or equation.effects:
        return None
    small = name != "jit" or len(closed.jaxpr.eqns) <= SMALL
    return closed.jaxpr if small else None


def _params(equation: Any) -> tuple[Any, Any]:
    """The parameters of an equation that are plain, and the jaxprs among them."""
    items = sorted(equation.params.items())
    nested = [value for _, value in items if _is_nested(value)]
    return tuple([item for item in items if not _is_nested(item[1])]), tuple(nested)


def _is_nested(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return any(map(_is_nested, value))
    return hasattr(value, "jaxpr") or hasattr(value, "eqns")


def _key(value: Any) -> Any:
    """Key of a value: of a constant its content."""
    if not hasattr(value, "val"):
        return id(value)
    return str(value.aval), np.asarray(value.val).tobytes()

"""Record array expressions and write them as one sequence of scalar operations.

Array functions are called with NumPy arrays of `Number` objects in place of floats. The objects record all
operations. For small arrays, the recorded sequence is faster: NumPy needs one microsecond for each operation,
Python floats need ten nanoseconds, and C needs far less.

Operations on constants are evaluated immediately, repeated operations are recorded once, and unused
operations are omitted. A product with a constant zero is zero, even if the other factor is NaN. Comparisons
raise an error, because a sequence has no branches.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

DEEPEST = 24
"""Largest depth of nested operations in one line of code. Parsers limit this depth."""
COMMUTES = ("+", "*")


class NotStraight(TypeError):
    """Error: the recorded function has a branch that depends on a recorded number."""


class Tape:
    """Sequence of recorded operations."""

    def __init__(self) -> None:
        self._noted: list[tuple[str, Any, Any]] = []
        self._known: dict[tuple[str, Any, Any], Number] = {}
        self._inputs = 0

    def inputs(self, *shape: int) -> np.ndarray:
        """Return an array of the given shape with the next inputs as `Number` objects."""
        array = np.empty(shape, object)
        for place in np.ndindex(shape):
            array[place] = self.note("input", self._inputs, None)
            self._inputs += 1
        return array

    def note(self, operation: str, a: Any, b: Any) -> Number:
        """Record an operation on a and b, and return its result as a `Number`. A repeated operation returns
        the same object.
        """
        key = operation, _key(a), _key(b)
        if operation in COMMUTES and key[1] > key[2]:
            key = operation, key[2], key[1]
        if key not in self._known:
            self._known[key] = Number(self, len(self._noted))
            self._noted.append((operation, a, b))
        return self._known[key]

    def text(self, outputs: Iterable[Any]) -> tuple[list[str], list[str]]:
        """Return assignments to variables x0, x1, ..., and the expressions of the outputs. The code is valid
        in Python and C.

        The inputs are the variables i0, i1, ...
        """
        outputs = list(outputs)
        reads = self._reads(outputs)
        said: dict[int, tuple[str, int]] = {}

        def of(value: Any) -> tuple[str, int]:
            return said[value.index] if isinstance(value, Number) else (_literal(value), 0)

        lines: list[str] = []
        for k, (operation, a, b) in enumerate(self._noted):
            if not reads[k]:
                continue
            if operation == "input":
                said[k] = f"i{a}", 0
                continue
            (left, deep), (right, deeper) = of(a), of(b)
            text, depth = _text(operation, left, right), 1 + max(deep, deeper)
            if reads[k] > 1 or depth > DEEPEST:
                lines.append(f"x{k} = {text}")
                text, depth = f"x{k}", 0
            said[k] = text, depth
        return lines, [of(value)[0] for value in outputs]

    def _reads(self, outputs: list[Any]) -> list[int]:
        """How often each operation is read."""
        reads = [0] * len(self._noted)
        for value in outputs:
            if isinstance(value, Number):
                reads[value.index] += 1
        for k in reversed(range(len(self._noted))):
            operation, *operands = self._noted[k]
            if reads[k] and operation != "input":
                for value in operands:
                    if isinstance(value, Number):
                        reads[value.index] += 1
        return reads

    def function(self, outputs: Iterable[Any]) -> Callable[[list[float]], tuple[float, ...]]:
        """Return a function that computes the outputs. The returned function converts a list of inputs to a
        tuple of outputs."""
        lines, results = self.text(outputs)
        names = "".join(f"i{k}, " for k in range(self._inputs))
        body = "".join(f"    {line}\n" for line in lines)
        source = f"def straight(inputs):\n    {names}= inputs\n{body}    return ({', '.join(results)},)\n"
        found: dict[str, Any] = {"sqrt": math.sqrt}
        exec(compile(source, "<straight line>", "exec"), found)
        return found["straight"]

    def c_source(self, outputs: Iterable[Any]) -> str:
        """Return the body of a C99 function that computes the outputs. The function has the arrays `in` and
        `out` of doubles.
        """
        lines, results = self.text(outputs)
        given = [f"const double i{k} = in[{k}];" for k in range(self._inputs)]
        found = [f"const double {line};" for line in lines]
        put = [f"out[{k}] = {each};" for k, each in enumerate(results)]
        return "\n".join(f"    {line}" for line in (*given, *found, *put))


class Number:
    """Number that records operations. The value of such a number is unknown during recording."""

    __slots__ = ("index", "tape")

    def __init__(self, tape: Tape, index: int):
        self.tape, self.index = tape, index

    def __add__(self, other: Any) -> Any:
        return self if _is(other, 0) else self.tape.note("+", self, other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self if _is(other, 0) else 0.0 if other is self else self.tape.note("-", self, other)

    def __rsub__(self, other: Any) -> Any:
        return -self if _is(other, 0) else self.tape.note("-", other, self)

    def __mul__(self, other: Any) -> Any:
        if _is(other, 0):
            return 0.0
        return self if _is(other, 1) else -self if _is(other, -1) else self.tape.note("*", self, other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return self if _is(other, 1) else self.tape.note("/", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return 0.0 if _is(other, 0) else self.tape.note("/", other, self)

    def __neg__(self) -> Number:
        return self.tape.note("neg", self, None)

    def sqrt(self) -> Number:
        """Return the square root; `np.sqrt` calls this method."""
        return self.tape.note("sqrt", self, None)

    def _refuse(self, *_: Any) -> Any:
        raise NotStraight("a recorded number cannot be compared or converted to a float")

    __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __float__ = _refuse


def _is(value: Any, number: int) -> bool:
    return not isinstance(value, Number) and value == number


def _key(value: Any) -> Any:
    return (1, value.index) if isinstance(value, Number) else (0, 0.0 if value is None else float(value))


def _literal(value: Any) -> str:
    if value is None:
        return ""
    number = float(value)
    return repr(number) if number >= 0 else f"({number!r})"


def _text(operation: str, left: str, right: str) -> str:
    match operation:
        case "neg":
            return f"(-{left})"
        case "sqrt":
            return f"sqrt({left})"
    return f"({left} {operation} {right})"

"""Read inputs and conditions from texts, with the same syntax for solve, trim, linearize and sweep.

An input is "PATH", or "PATH=LOW:HIGH" with bounds. A condition is "NAME = VALUE UNIT". Each study defines
which names are valid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ..tree.errors import BadInput, Problem

FINDING = 'Write PATH, or with bounds PATH=LOW:HIGH, for example devices.spring.stiffness="1 kN/m:9 kN/m"'
FORMS = {
    "find": 'Give the path of an input, for example "bodies.stage.mass"',
    "free": 'Give the name of a velocity or state, for example "bodies.stage.velocity.x"',
}
"""Hint for error messages about an argument that is a list of texts, by argument name."""
CONDITION = 'Give a condition, for example "bodies.stage.velocity.x = 2 m/s"'
Item = TypeVar("Item")
Made = TypeVar("Made")


class Bounded(NamedTuple):
    """An input with its lower and upper bound. A bound is a number [SI], a text with a unit, or None."""

    path: str
    low: Any = None
    high: Any = None


class Equation(NamedTuple):
    """A condition: its text, the name on the left side, and the value on the right side. The value is a
    number [SI] or a text with a unit.
    """

    text: str
    name: str
    value: float | str


def each_read(items: Iterable[Item], reader: Callable[[Item], Made]) -> list[Made]:
    """Apply a reader to each item and return the results.

    If readers raise BadInput for several items, one BadInput with all problems is raised.
    """
    found: list[Made] = []
    problems: list[Problem] = []
    for item in items:
        try:
            found.append(reader(item))
        except BadInput as error:
            problems += error.problems
    if problems:
        raise BadInput(problems)
    return found


def listed_texts(texts: Any, place: str) -> list[str]:
    """Return a list of texts from one text or several texts.

    place: name of the argument in messages. Raises BadInput if an item is not a text.
    """
    if not isinstance(texts, Iterable):
        raise BadInput(Problem(place, f"{texts!r} is not a text. {FORMS.get(place, CONDITION)}"))
    found = [texts] if isinstance(texts, str) else [*texts]
    wrong = [one for one in found if not isinstance(one, str)]
    if wrong:
        raise BadInput(Problem(place, f"{wrong[0]!r} is not a text. {FORMS.get(place, CONDITION)}"))
    return found


def listed_inputs(find: Any) -> list[tuple[Any, Any]]:
    """Return pairs (name, bounds) of inputs. Inputs given as texts have the bounds None.

    find: one text, several texts, or a mapping from names to bounds. Raises BadInput.
    """
    if isinstance(find, Mapping):
        return [*find.items()]
    return [(text, None) for text in listed_texts(find, "find")]


def bounded_input(item: tuple[Any, Any]) -> Bounded:
    """Return an input from its name and bounds.

    The bounds are None, a text "LOW:HIGH", or a pair. Each value of the pair can be None. The name can also
    contain the bounds, as in "PATH=LOW:HIGH". Raises BadInput.
    """
    name, bounds = item
    if not isinstance(name, str):
        raise BadInput(Problem("find", f"{name!r} is not a text. {FORMS['find']}"))
    if bounds is None or isinstance(bounds, str):
        return _with_bounds(name if bounds is None else f"{name}={bounds}")
    if not isinstance(bounds, Sequence | np.ndarray) or len(bounds) != 2:
        text = f'the bounds {bounds!r} cannot be read. Give a pair (low, high), a text "LOW:HIGH" or None'
        raise BadInput(Problem(name, text))
    low, high = (float(end) if isinstance(end, np.generic) else end for end in bounds)
    return _with_bounds(name)._replace(low=low, high=high)


def _with_bounds(text: str) -> Bounded:
    path, sign, bounds = (part.strip() for part in text.partition("="))
    ends = bounds.split(":")
    if not path or (sign and (len(ends) != 2 or not all(end.strip() for end in ends))):
        raise BadInput(Problem("--find", f"the input '{text}' cannot be read. {FINDING}"))
    return Bounded(path, *map(amount, ends)) if sign else Bounded(path)


def equation(text: str, what: str, writing: str) -> Equation:
    """Return a condition from its text "NAME = VALUE UNIT".

    - what: noun for the condition in messages.
    - writing: sentence that describes the correct form, for messages.

    Raises BadInput if the text has no name, no equals sign or no value.
    """
    name, sign, value = (part.strip() for part in text.rpartition("="))
    if not sign or not name or not value:
        raise BadInput(Problem("--so-that", f"the {what} '{text}' cannot be read. {writing}"))
    return Equation(text, name, amount(value))


def amount(text: str) -> float | str:
    """Return a text as a number if possible. If the text is not a number, return the text without leading and
    trailing blanks."""
    try:
        return float(text)
    except ValueError:
        return text.strip()

"""Find inputs and outputs of linear equations by their names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple

import numpy as np

from ..engine.contract import Commands
from ..engine.layout import Layout
from ..observation.after import known_after
from ..programs.targets import Target, targets_of
from ..quantities.catalogue import catalogue, lookup
from ..tree.errors import BadInput, Problem
from ..tree.similar_names import like

AXES = ("x", "y", "z")
PUSHES = {"force": ("N", 0), "torque": ("N m", 3)}
"""Loads on any body at its centre of mass along its structural axes: unit, and index of the first
component.
"""


class Input(NamedTuple):
    """Input of the linear equations.

    - name, unit: name and unit of the input.
    - kind: "numbers", "load" or "signal". With "numbers", the scenario values in `targets` change together.
      With "load", `place` has the component of the load and the index of the body. With "signal", `place` has
      the index of the signal.
    """

    name: str
    unit: str
    kind: Literal["numbers", "load", "signal"]
    targets: tuple[Target, ...] = ()
    place: tuple[int, ...] = ()


class Output(NamedTuple):
    """Output of the linear equations: name, unit, and quantity with the index of its component."""

    name: str
    unit: str
    quantity: Any


def inputs_of(scenario: Any, layout: Layout, names: Sequence[str]) -> list[Input]:
    """Return the inputs of linear equations from their names, one input for each component of a vector.
    Raises BadInput with all problems.
    """
    found: list[Input] = []
    problems: list[Problem] = []
    for name in _as_names(names, "inputs"):
        try:
            found += _inputs(scenario, layout, name)
        except BadInput as error:
            problems += error.problems
    problems += _twice(found, "inputs")
    if problems:
        raise BadInput(problems)
    return found


def _inputs(scenario: Any, layout: Layout, name: str) -> list[Input]:
    signals = signals_of(layout)
    known = [one for one in signals if one == name or one.rpartition(".")[0] == name]
    if known:
        order = [*signals]
        return [Input(one, signals[one], "signal", place=(order.index(one),)) for one in known]
    loads = [one for one in _loads(layout) if one.name == name or one.name.rpartition(".")[0] == name]
    if loads:
        return loads
    try:
        targets = targets_of(scenario, name, name)
    except BadInput as error:
        others = like(name, [*signals, *(one.name for one in _loads(layout))])
        end = " Commands" if error.problems[0].message.endswith("?") else ". Commands"
        hint = f"{end} and loads with similar names: {', '.join(others)}" if others else ""
        (first, *rest) = error.problems
        raise BadInput([replace(first, message=first.message + hint), *rest]) from None
    kinds = {(target.marker.unit, target.nominal.shape) for target in targets}
    if len(kinds) > 1:
        text = f"'{name}' matches several values with different units or shapes. Give the path of one value"
        raise BadInput(Problem(name, text))
    ((unit, shape),) = kinds
    return [
        Input(
            name + _element(place, shape),
            unit,
            "numbers",
            tuple(replace(own, index=own.index + place) for own in targets),
        )
        for place in np.ndindex(shape)
    ]


def _element(place: tuple[int, ...], shape: tuple[int, ...]) -> str:
    if shape == (3,):
        return f".{AXES[place[0]]}"
    return f"[{', '.join(map(str, place))}]" if place else ""


def signals_of(layout: Layout) -> dict[str, str]:
    """Return the unit of each control command, by the name of the command."""
    return {name: unit for part in layout.having(Commands) for name, unit in part.inputs.items()}


def _loads(layout: Layout) -> Iterator[Input]:
    for k, body in enumerate(layout.bodies):
        for what, (unit, first) in PUSHES.items():
            for n, axis in enumerate(AXES):
                yield Input(f"bodies.{body}.{what}.{axis}", unit, "load", place=(first + n, k))


def outputs_of(scenario: Any, names: str | Sequence[str], place: str = "outputs") -> list[Output]:
    """Return the outputs of linear equations, one for each component of the named quantities.

    - names: paths of quantities.
    - place: path in error messages.

    Raises BadInput with all problems.
    """
    known = catalogue(scenario)
    found: list[Output] = []
    problems: list[Problem] = []
    for name in _as_names(names, place):
        if known_after(scenario, name) is not None:
            text = f"the quantity '{name}' is known only after the complete flight"
            problems.append(Problem(place, f"{text}. Use a quantity that has a value at each time"))
            continue
        try:
            quantity, component = lookup(known, name)
        except KeyError as error:
            problems.append(Problem(place, str(error.args[0])))
            continue
        meta, names_of = quantity.meta, quantity.meta.components
        if component is None and names_of:
            found += [Output(f"{name}.{one}", meta.unit, (quantity, n)) for n, one in enumerate(names_of)]
        else:
            found.append(Output(name, meta.unit, (quantity, component)))
    problems += _twice(found, place)
    if problems:
        raise BadInput(problems)
    return found


def _as_names(names: Any, place: str) -> list[str]:
    found = [names] if isinstance(names, str) else [*names]
    wrong = [one for one in found if not isinstance(one, str)]
    if wrong:
        raise BadInput(
            Problem(place, f"{wrong[0]!r} is not a text. Give a name, for example 'bodies.stage.force.x'")
        )
    return found


def _twice(found: Sequence[Any], place: str) -> list[Problem]:
    names = [one.name for one in found]
    again = dict.fromkeys(name for name in names if names.count(name) > 1)
    return [Problem(place, f"'{name}' is listed twice. Keep the name once") for name in again]

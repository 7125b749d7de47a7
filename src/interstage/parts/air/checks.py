"""Check aerodynamics entries: bodies and phases exist, an atmosphere is declared, and coefficient variables
are valid.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...environment import needed
from ...exchange.daveml_units import unit as written
from ...tree.bare_angles import ANGULAR, is_noted
from ...tree.errors import BrokenName, Problem
from ...tree.name_check import unknown
from ...tree.names import Names
from ...tree.similar_names import near
from ...tree.unit_names import UnitError, base_unit, compatible, parse_unit
from ..propellant.checks import signal_names
from .coefficient_table import CoefficientTable
from .declared import DAMPING, RELATIVE, VARIABLES, Aerodynamics, variable_of

if TYPE_CHECKING:
    from ...scenario import Scenario


def problems(
    scenario: Scenario, names: Names, faulty: Mapping[str, list[str]] | None = None
) -> Iterator[Problem]:
    """Yield the problems of the aerodynamics entries of a scenario.

    - names: the names in the scenario, by group.
    - faulty: names of invalid declarations, by group. References to these names are accepted, because another
      message reports the invalid declarations.
    """
    left_out = faulty or {}
    yield from needed.air(scenario, "aerodynamics", scenario.aerodynamics, faulty)
    known = _variables(scenario, names, left_out)
    unsure = bool({"controls", "actuators"} & left_out.keys())
    for declared in scenario.aerodynamics:
        place = f"aerodynamics.{declared.name}"
        yield from unknown(f"{place}.body", declared.body, names.bodies, "body")
        for phase in declared.phases or ():
            yield from unknown(f"{place}.phases", phase, names.phases, "phase")
        for where, unit_at, variable, unit in _variables_with_units(declared):
            if unsure and variable.startswith(("controls.", "actuators.")):
                continue
            yield from _variable(f"{place}.{where}", variable, declared, known)
            if unit is not None and known.get(variable) is not None:
                yield from _unit(f"{place}.{unit_at}", variable, unit, known[variable])
        yield from _output_units(declared)


def _output_units(declared: Aerodynamics) -> Iterator[Problem]:
    """Yield the problems of outputs of a function model whose units do not match a coefficient."""
    units = {one.name: one.unit for one in declared.functions.outputs} if declared.functions else {}
    for link in declared.outputs:
        unit = units.get(link.name)
        if not unit:
            continue
        place = f"aerodynamics.{declared.name}.outputs.{link.name}"
        allowed = "a pure number, or a fraction such as percent"
        allowed += ", or per angle such as 1/deg" if link.of in DAMPING else ""
        try:
            given = parse_unit(written(unit))[1]
        except UnitError as error:
            yield Problem(place, f"{error}. Allowed for {link.of}: {allowed}")
            continue
        wanted = parse_unit("1/rad" if link.of in DAMPING else "1")[1]
        if not compatible(given, wanted):
            text = (
                f"the output '{link.name}' has the unit {unit}. Allowed for {link.of}: {allowed}. Name"
                " another"
            )
            text += " output of the model"
            yield Problem(place, text)


def _variables(scenario: Scenario, names: Names, left_out: Mapping[str, list[str]]) -> dict[str, str | None]:
    """Return the SI units of all variables of coefficients, by name; None for commands, which have no
    unit."""
    units: dict[str, str | None] = dict(VARIABLES)
    units |= {f"relative.{body}.{what}": unit for body in names.bodies for what, unit in RELATIVE.items()}
    units |= dict.fromkeys(signal_names(scenario))
    return units | {f"actuators.{actuator.name}": actuator.unit or "1" for actuator in scenario.actuators}


def _variables_with_units(declared: Aerodynamics) -> Iterator[tuple[str, str, str, str | None]]:
    """Yield (path, path of its unit, variable, declared unit) of all variables."""
    for name, coefficient in declared.coefficients.by_name().items():
        if isinstance(coefficient, CoefficientTable):
            for k, axis in enumerate(coefficient.axes):
                place = f"coefficients.{name}.axes.{k}"
                yield place, place, axis.variable, axis.unit
    for part in declared.functions.inputs if declared.functions is not None else ():
        variable = variable_of(declared, part.name)
        if variable is not None:
            yield f"inputs.{part.name}", f"functions.inputs.{part.name}", variable, part.unit or None
    if declared.blend is not None:
        yield "blend.over", "blend.over", declared.blend.over, None


def _variable(
    place: str, variable: str, declared: Aerodynamics, known: Mapping[str, Any]
) -> Iterator[Problem]:
    if variable not in known:
        text = f"there is no variable '{variable}'; {near(variable, known)}"
        yield BrokenName(place, text, among=("bodies", "controls", "actuators"))
    elif variable.startswith(f"relative.{declared.body}."):
        yield Problem(
            place,
            f"'{variable}' compares the body '{declared.body}' with itself. Name another body, or use a"
            " variable like altitude or alpha",
        )


def _unit(place: str, variable: str, unit: str, wanted: Any) -> Iterator[Problem]:
    try:
        given = parse_unit(written(unit))[1]
    except UnitError as error:
        yield Problem(place, f"{error}. Give a unit that converts to {wanted}, the SI unit of {variable}")
        return
    dimension = parse_unit(wanted)[1]
    if not compatible(given, dimension):
        unit_si = base_unit(dimension)
        yield Problem(
            place,
            f"the unit is {unit}, but {variable} is in {unit_si}. Give a unit that converts to {unit_si}",
        )


def remarks(scenario: Scenario, pose: Any) -> Iterator[str]:
    """Yield a warning for each content of a DAVE-ML file that was skipped. `pose` is not used."""
    for one in scenario.aerodynamics:
        for note in one.functions.notes if one.functions is not None else ():
            yield f"{one.name}: {note}."


def bare_angles(scenario: Scenario) -> Iterator[tuple[str, Any, str]]:
    """Yield (path, points, SI unit) for each table axis that is an angle or angular rate without a unit.

    The table is in the scenario or in a CSV file.
    """
    for declared in scenario.aerodynamics:
        for name, table in declared.coefficients.by_name().items():
            for axis in table.axes if isinstance(table, CoefficientTable) else ():
                unit = _angular(axis.variable)
                if unit and axis.unit is None and is_noted(axis.points):
                    place = f"aerodynamics.{declared.name}.coefficients.{name}: {axis.variable}"
                    yield place, axis.points, unit


def _angular(variable: str) -> str | None:
    """Return the SI unit of a variable if it is an angle or an angular rate."""
    where, _, last = variable.rpartition(".")
    unit = RELATIVE.get(last) if where.startswith("relative.") else VARIABLES.get(variable)
    return unit if unit in ANGULAR else None

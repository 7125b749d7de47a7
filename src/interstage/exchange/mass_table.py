"""Read tables of mass properties (CSV): one row for each body, with units in the header."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..tree.similar_names import near
from ..tree.unit_names import parse_unit
from .csv_file import CsvFile

CENTRE = ("x", "y", "z")
MOMENTS = ("Ixx", "Iyy", "Izz")
PRODUCTS = ("Ixy", "Ixz", "Iyz")
UNITS = {"mass": "kg"} | dict.fromkeys(CENTRE, "m") | dict.fromkeys((*MOMENTS, *PRODUCTS), "kg m^2")
"""Columns with numbers, and SI units of their quantities."""
REQUIRED = ("name", "mass", *CENTRE, *MOMENTS, "about")
OPTIONAL = (*PRODUCTS, "products")
ABOUT = ("mass_centre", "origin")
"""Reference points of moments and products: the centre of mass, or the origin of structural coordinates."""
SIGNS = ("tensor", "integrals")
"""Signs of products: "tensor": Ixy is minus the integral of x y dm. "integrals": plus the integral."""
EXAMPLE = "name, mass [kg], x [m], y [m], z [m], Ixx [kg m^2], Iyy [kg m^2], Izz [kg m^2], about"


class MassProperties(NamedTuple):
    """Mass properties of one row.

    - mass: mass [kg].
    - mass_centre (3,): centre of mass [m], structural coordinates.
    - inertia (3, 3): moments and products as in the table [kg m^2], structural axes.
    - about: reference point of `inertia`, from `ABOUT`.
    - products: sign of the products, from `SIGNS`.
    """

    mass: float
    mass_centre: np.ndarray
    inertia: np.ndarray
    about: str
    products: str


def read(path: str) -> dict[str, MassProperties]:
    """Return the mass properties by the name of the row. Raises Refused at "file" for a missing or unknown
    column, a missing or wrong unit, a repeated name, and values that are not physical."""
    source = CsvFile(path, EXAMPLE)
    (line, header), *rows = source.rows()
    names, units = zip(*(source.name(cell, line) for cell in header), strict=True)
    _check_columns(source, names, line)
    factors = {
        name: _factor(source, name, unit, line)
        for name, unit in zip(names, units, strict=True)
        if name in UNITS
    }
    found: dict[str, MassProperties] = {}
    for number, cells in rows:
        row = dict(zip(names, cells, strict=True))
        if row["name"] in found:
            raise source.refuse(f"'{row['name']}' has two rows. Keep one row", number)
        found[row["name"]] = _properties(source, row, factors, number)
    return found


def row_of(path: str, name: str) -> MassProperties:
    """Return the mass properties of one row of a table. Raises Refused at "file"."""
    found = read(path)
    if name not in found:
        text = f"there is no row '{name}'. The key row of the body selects another row"
        raise CsvFile(path).refuse(f"{text}; {near(name, found, 'rows')}")
    return found[name]


def _check_columns(source: CsvFile, names: tuple[str, ...], line: int) -> None:
    missing = [name for name in REQUIRED if name not in names]
    if any(name in names for name in PRODUCTS):
        missing += [name for name in OPTIONAL if name not in names]
    unknown = [name for name in names if name not in (*REQUIRED, *OPTIONAL)]
    faults = [f"the columns {', '.join(missing)} are missing"] if missing else []
    faults += [f"the columns {', '.join(unknown)} are unknown"] if unknown else []
    faults += ["a column name is repeated"] if len({*names}) < len(names) else []
    if not faults:
        return
    meaning = {
        "about": f"about is the reference point of the moments ({' or '.join(ABOUT)})",
        "products": 'products is the sign of Ixy ("tensor": minus the integral of x y dm, "integrals": plus)',
    }
    hints = [text for name, text in meaning.items() if name in missing]
    allowed = f"Allowed: {', '.join(REQUIRED)}, and all or none of {', '.join(OPTIONAL)}"
    raise source.refuse(". ".join(["; ".join(faults), *hints, allowed]), line)


def _factor(source: CsvFile, name: str, unit: str | None, line: int) -> float:
    """Return the factor from the unit of a column to SI. Raises Refused."""
    wanted = UNITS[name]
    if unit is None:
        if source.in_si:
            return 1.0
        raise source.refuse(f"the column {name} has no unit. Write, for example, {name} [{wanted}]", line)
    factor, dimension = parse_unit(unit)
    if dimension != parse_unit(wanted)[1]:
        text = f"the column {name} is in {unit}. Use {wanted} or another unit of this quantity"
        raise source.refuse(text, line)
    return factor


def _properties(source: CsvFile, row: dict[str, str], factors: dict[str, float], line: int) -> MassProperties:
    values = {name: source.number(row[name], line, name) * factor for name, factor in factors.items()}
    if values["mass"] <= 0:
        raise source.refuse(f"column mass: {row['mass']} is not above zero. Give a mass above zero", line)
    for name in MOMENTS:
        if values[name] < 0:
            raise source.refuse(f"column {name}: {row[name]} is negative. Give a moment of 0 or more", line)
    about = _word(source, row, "about", ABOUT, line)
    products = _word(source, row, "products", SIGNS, line) if "products" in row else SIGNS[0]
    inertia = np.diag([values[name] for name in MOMENTS])
    for name, (i, j) in zip(PRODUCTS, ((0, 1), (0, 2), (1, 2)), strict=True):
        inertia[i, j] = inertia[j, i] = values.get(name, 0.0)
    centre = np.array([values[name] for name in CENTRE])
    return MassProperties(values["mass"], centre, inertia, about, products)


def _word(source: CsvFile, row: dict[str, str], column: str, allowed: tuple[str, ...], line: int) -> str:
    word = row[column]
    if word not in allowed:
        text = f"'{word}' is not allowed" if word else "the cell is empty"
        raise source.refuse(f"column {column}: {text}; {near(word, allowed, 'allowed')}", line)
    return word

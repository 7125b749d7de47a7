"""Columns of the table of cases, for printed tables and files."""

from __future__ import annotations

import importlib.util
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...drawing.table import label_text
from ...exchange.csv_file import write_csv
from ...record.results import current_versions
from ...tree.errors import BadInput
from ...tree.saving import write_dataset, write_file
from ...tree.units import display
from .designs import OWN

if TYPE_CHECKING:
    import xarray

    from .result import Sweep

FILES = (".nc", ".csv", ".parquet")
"""Allowed suffixes of files with the cases of a sweep."""


class Column(NamedTuple):
    """A column of the table of cases.

    - unit: SI unit, "%", or "" for texts.
    - values (cases,): values in `unit`.
    - what: description.
    - scale: for a varied input, function of "SI" or "US" that returns the factor and the unit for display.
    """

    name: str
    unit: str
    values: Any
    what: str = ""
    scale: Callable[[str], tuple[float, str]] | None = None


def check_file(path: Path) -> None:
    """Check before any flight that a file with the cases can be written. The suffix must be allowed, and the
    required package must be installed. Raises BadInput.
    """
    end = path.suffix.lower()
    if end not in FILES:
        raise BadInput(f"'{path}': the file type is unknown. Allowed endings: {', '.join(FILES)}")
    if end == ".parquet" and importlib.util.find_spec("pyarrow") is None:
        raise BadInput(
            f"'{path}': a Parquet file needs the package pyarrow. Run pip install pyarrow, or use .csv or .nc"
        )


def cells(sweep: Sweep) -> list[Column]:
    """Return all columns of the table of cases."""
    found = [Column("case", "", np.arange(len(sweep)), "case number")]
    for k, one in enumerate(sweep.variations):
        paths = ", ".join(target.name for target in one.targets)
        if one.numeric:
            found.append(Column(one.name, one.unit, sweep.coordinate(one), paths, one.scale))
        else:
            levels = sweep.levels[:, k]
            texts = ["as in the scenario" if level == OWN else one.labels[level] for level in levels]
            found.append(Column(one.name, "", np.array(texts), paths))
    for m in sweep.measures:
        found.append(Column(m.name, m.unit, m.values, f"{m.quantity}, {m.where}"))
        if m.side:
            limit = f"{'>=' if m.side == 'min' else '<='} {m.limit:g} {m.unit}"
            found.append(Column(f"margin of {m.name}", m.unit, m.margin, f"margin to the limit {limit}"))
    verdicts = np.array([sweep.verdict(case) for case in range(len(sweep))], object)
    found.append(Column("verdict", "", verdicts, "broken requirements"))
    return [*found, Column("outcome", "", np.array(sweep.outcomes, object), "outcome of the flight")]


def columns(sweep: Sweep, units: str) -> dict[str, list[Any]]:
    """Return the columns of the table of cases, by name with unit.

    Varied inputs have the unit of their levels. Other columns have the units `units`, "SI" or "US".
    """
    found = {}
    for name, unit, values, _, scale in cells(sweep):
        if scale is not None:
            factor, label = scale(units)
        else:
            factor, label = (1.0, unit) if unit == "%" else display(unit, units)
        found[label_text(name, label)] = (values * factor if unit else values).tolist()
    return found


def dataset(sweep: Sweep) -> xarray.Dataset:
    """Return all cases in SI as a dataset with the dimension "case". The scenario and the design are
    attributes.
    """
    import xarray

    first, *rest = cells(sweep)
    variables = {
        name.replace("/", "_").replace(" ", "_"): (
            "case",
            values.astype(str) if values.dtype == object else values,
            {"long_name": name, "description": what} | ({"units": unit} if unit else {}),
        )
        for name, unit, values, what, _ in rest
    }
    data = xarray.Dataset(variables, coords={"case": first.values})
    data.attrs = {
        "title": sweep.scenario.title,
        "summary": sweep.summary,
        "design": sweep.design,
        "variations": json.dumps(describe(sweep)),
        "scenario": sweep.scenario.to_toml(),
        "versions": json.dumps(current_versions(sweep.scenario)),
    }
    return data


def describe(sweep: Sweep) -> list[dict[str, Any]]:
    """Return a description of each varied input with its paths and levels in SI, for attributes of files."""
    return [
        {
            "name": one.name,
            "paths": [target.name for target in one.targets],
            "unit": one.unit,
            "levels": [
                {"coordinate": float(one.coordinate[k]), "values": [v[k].tolist() for v in one.values]}
                for k in range(one.count)
            ],
        }
        for one in sweep.variations
    ]


def write(sweep: Sweep, path: Path, units: str) -> Path:
    """Write all cases to a file and return its path; see `Sweep.save`. Raises BadInput."""
    check_file(path)
    end = path.suffix.lower()
    if end == ".nc":
        write_dataset(path, dataset(sweep))
    elif end == ".parquet":
        import pandas

        whole = io.BytesIO()
        pandas.DataFrame(columns(sweep, units)).to_parquet(whole, index=False)
        write_file(path, whole.getvalue())
    else:
        found = columns(sweep, units)
        write_csv(path, [found, *zip(*found.values())])
    return path

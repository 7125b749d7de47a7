"""Save linear equations to NetCDF files, and to .mat files for MATLAB and Octave."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...exchange import mat
from ...tree.saving import write_dataset

if TYPE_CHECKING:
    from .floquet import Periodic
    from .result import Linear, Series


def save_netcdf(path: str | Path, series: Series) -> None:
    """Save a series of linear equations. Consecutive operating points with the same states form one dataset.
    Raises BadInput.
    """
    import xarray

    parts = series.parts
    groups = {"/": _dataset(parts[0])} if len(parts) == 1 else {}
    groups |= {f"/stretch_{k}": _dataset(part) for k, part in enumerate(parts) if len(parts) > 1}
    _write(path, xarray.DataTree.from_dict(groups), series[0].scenario)


def _write(path: str | Path, tree: Any, scenario: Any) -> None:
    tree.attrs |= {"format": "interstage-linear-1", "scenario": scenario.to_toml()}
    write_dataset(Path(path), tree)


def save_periodic_netcdf(path: str | Path, one: Periodic) -> None:
    """Save periodic linear equations: the equations over the period, the monodromy matrix, and the Floquet
    multipliers.

    Raises BadInput if the file cannot be written.
    """
    import xarray

    whole = _dataset(one.series)
    values: Any = one.multipliers
    whole["monodromy"] = ("state", "state_of"), one.monodromy
    whole["multiplier_real"], whole["multiplier_imaginary"] = ("mode", values.real), ("mode", values.imag)
    whole.attrs |= {"period": one.period, "accuracy": one.accuracy}
    _write(path, xarray.DataTree(whole), one.scenario)


def _dataset(part: Series) -> Any:
    import xarray

    first = part[0]
    rows = {
        "A": (("time", "state", "state_of"), part.A),
        "B": (("time", "state", "input"), part.B),
        "C": (("time", "output", "state_of"), part.C),
        "D": (("time", "output", "input"), part.D),
        "x0": (("time", "state"), np.stack([one.x0 for one in part])),
        "rates": (("time", "state"), np.stack([one.rates for one in part])),
        "y0": (("time", "output"), np.stack([one.y0 for one in part])),
    }
    values: Any = np.stack([one.eigenvalues for one in part])
    rows |= {
        "eigenvalue_real": (("time", "mode"), values.real),
        "eigenvalue_imaginary": (("time", "mode"), values.imag),
    }
    names = {
        "state": first.names,
        "state_of": first.names,
        "input": [*first.inputs],
        "output": [*first.outputs],
    }
    coordinates: dict[str, Any] = {"time": ("time", part.times, {"units": "s"})}
    coordinates["moment"] = "time", np.array([one.moment for one in part], dtype=object)
    if np.isfinite(first.spread):
        rows["spread"] = ("time",), np.array([one.spread for one in part])
    if first.varied:
        coordinates["level"] = "time", part.levels, {"long_name": first.varied}
    coordinates |= {name: (name, np.array(listed, dtype=object)) for name, listed in names.items()}
    units = {
        "state_unit": ("state", [state.unit for state in first.states]),
        "input_unit": ("input", [*first.input_units]),
        "output_unit": ("output", [*first.output_units]),
    }
    coordinates |= {name: (dim, np.array(listed, dtype=object)) for name, (dim, listed) in units.items()}
    return xarray.Dataset(rows, coords=coordinates)


def save_mat(path: str | Path, each: Sequence[Linear], alone: bool) -> None:
    """Save linear equations for MATLAB and Octave. Raises BadInput.

    alone: whether the file has the fields of the only operating point. If false, the file has a struct array
    `linear`.
    """
    found = [_fields(one) for one in each]
    whole = dict(found[0]) if alone else {"linear": mat.struct_array(found)}
    mat.write(path, whole | {"scenario": each[0].scenario.to_toml()})


def save_periodic_mat(path: str | Path, one: Periodic) -> None:
    """Save periodic linear equations for MATLAB and Octave. Raises BadInput if the file cannot be written.

    The file has A (step, state, state), the times from the start of the period [s], the monodromy matrix and
    the Floquet multipliers.
    """
    whole = {"A": one.A, "times": one.times, "period": one.period, "accuracy": one.accuracy}
    whole |= {"monodromy": one.monodromy, "multipliers": one.multipliers, "states": mat.cells(one.names)}
    mat.write(path, whole | {"scenario": one.scenario.to_toml()})


def _fields(one: Linear) -> dict[str, Any]:
    return {
        "A": one.A,
        "B": one.B,
        "C": one.C,
        "D": one.D,
        "x0": one.x0,
        "rates": one.rates,
        "y0": one.y0,
        "time": one.time,
        "moment": one.moment,
        "varied": one.varied,
        "level": one.level,
        "spread": one.spread,
        "states": mat.cells(one.names),
        "state_units": mat.cells([state.unit for state in one.states]),
        "inputs": mat.cells(one.inputs),
        "input_units": mat.cells(one.input_units),
        "outputs": mat.cells(one.outputs),
        "output_units": mat.cells(one.output_units),
    }

"""Conversion of declared inertia (three moments, or a matrix with a sign convention) to a tensor, and checks
of its physical limits.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from pydantic import ValidationInfo

from ..tree.units import LARGEST, UnitError, json_schema, magnitude, si

INERTIA_ROUNDING = 1e-9
"""Tolerance of the inertia checks, relative to the largest moment. The tolerance allows for rounding and for
the number of printed digits.
"""

INERTIA_SCHEMA = {
    "anyOf": [*json_schema("kg m^2", (3,))["anyOf"], json_schema("kg m^2", (3, 3))["anyOf"][0]],
    "unit": "kg m^2",
}
INERTIAS_SCHEMA = {
    "anyOf": [*json_schema("kg m^2", ("n", 3))["anyOf"], json_schema("kg m^2", ("n", 3, 3))["anyOf"][0]],
    "unit": "kg m^2",
}


def tensor(value: Any, info: ValidationInfo) -> Any:
    """Return the inertia tensor [kg m^2] (3, 3, *cases) from three moments or a matrix. This function
    validates a field of a declaration.

    The signs of the products of inertia follow the field `products`, which is validated first. Raises
    UnitError for a faulty matrix.
    """
    return _tensor(value, info.data.get("products"), ())


def tensors(value: Any, info: ValidationInfo) -> Any:
    """Return the inertia tensors [kg m^2] (n, 3, 3, *cases) from a table column of inertias. See
    `tensor`.
    """
    return _tensor(value, info.data.get("products"), ("n",))


def _tensor(value: Any, products: str | None, rows: tuple) -> Any:
    found = _read_tensor(value, products, rows)
    if isinstance(found, np.ndarray) and ((found != 0) & (np.abs(found) < 1 / LARGEST)).any():
        raise UnitError(
            f"a moment of inertia is below {1 / LARGEST:g} kg m^2. Give 0 for a body without inertia"
        )
    return found


def _read_tensor(value: Any, products: str | None, rows: tuple) -> Any:
    flat = len(rows) + 1
    if not hasattr(value, "shape"):
        value = magnitude(value, "kg m^2", (*rows, 3))
    if np.ndim(value) <= flat or not isinstance(value, (list, np.ndarray)):
        moments = si("kg m^2", (*rows, 3))(value)
        return moments[..., None] * np.eye(3) if len(moments.shape) == flat else moments
    given = si("kg m^2", (*rows, 3, 3))(value)
    first = np.moveaxis(given, (flat - 1, flat), (0, 1))
    signed = np.moveaxis(_tensor_of_matrix(first, products), (0, 1), (flat - 1, flat))
    signed.flags.writeable = False
    return signed


def _tensor_of_matrix(tensor: np.ndarray, products: str | None) -> np.ndarray:
    scale = np.abs(tensor).max()
    if np.abs(tensor - np.swapaxes(tensor, 0, 1)).max() > INERTIA_ROUNDING * scale:
        raise UnitError("the matrix is not symmetric. Make element (i, j) equal to element (j, i)")
    off = tensor * (1 - np.eye(3)).reshape((3, 3) + (1,) * (tensor.ndim - 2))
    if not off.any():
        return tensor
    if products is None:
        raise UnitError(
            'the sign of the products of inertia is missing. Add products = "tensor" (element xy is'
            " -integral of x y dm)"
            ' or products = "integrals" (element xy is +integral of x y dm)'
        )
    signed = tensor - 2 * off if products == "integrals" else np.array(tensor)
    return (signed + np.swapaxes(signed, 0, 1)) / 2


def principal(tensor: np.ndarray) -> np.ndarray:
    """Return the principal moments of inertia [kg m^2] (..., 3), in ascending order, from inertia tensors (3,
    3, ...).
    """
    return np.linalg.eigvalsh(np.moveaxis(tensor, (0, 1), (-2, -1)))


def fault(moments: np.ndarray, allowance: Any) -> tuple[int, str] | None:
    """Return the first fault of principal moments of inertia [kg m^2] (..., 3), or None without a fault.

    The moments must be in ascending order. `allowance` (...) [kg m^2]: tolerance for rounding. A fault is the
    index along the first axis of the moments (0 without this axis) and a message.
    """
    low, middle, high = np.moveaxis(moments, -1, 0)
    negative, broken = low < -allowance, high - low - middle > allowance
    wrong = negative if negative.any() else broken
    if not wrong.any():
        return None
    place = tuple(np.argwhere(wrong)[0])
    smallest, middle, largest = (float(m) for m in moments[place])
    if negative.any():
        words = f"a principal moment about the centre of mass is negative: {smallest:g} kg m^2"
    else:
        words = (
            f"no real body has the principal moments {smallest:g}, {middle:g}, {largest:g} kg m^2 about"
            " its centre of mass: the largest must not exceed the sum of the other two"
        )
    return (int(place[0]) if place else 0), words

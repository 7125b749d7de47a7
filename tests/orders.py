"""Observed orders of convergence."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np


def slope(steps: Any, errors: Any) -> float:
    """The order by which errors fall with the steps: of a line through both, in logarithms."""
    return float(np.polyfit(np.log(steps), np.log(errors), 1)[0])


def assert_order(errors: Any, order: int) -> None:
    """Errors (3, ...) of elements that are halved twice fall with an order: of slopes between two of them,
    what is beyond the order is the share of the next one, which falls by half at least."""
    first, second = (np.log2(np.abs(coarse / fine)) - order for coarse, fine in pairwise(errors))
    assert np.all(np.abs(second) <= np.abs(first) / 2), (first, second)

"""Coverage of intervals: 10,000 simulated campaigns, compared with the stated confidence within the
binomial error."""

from __future__ import annotations

from typing import Any

import numpy as np

CAMPAIGNS = 10_000
STATED = 0.9
ERRORS = 3.5
"""Standard errors that are accepted; 1 of 2000 correct intervals would fail by luck, and the seeds are
fixed."""


def error_of(stated: float, campaigns: int) -> float:
    """The accepted error of a fraction that was found in some campaigns."""
    return ERRORS * float(np.sqrt(stated * (1 - stated) / campaigns))


def assert_covers(
    contained: Any, stated: float = STATED, excess: float = 0.0, shortfall: float = 0.0
) -> None:
    """Assert that the fraction of intervals (campaigns, ...) that contain the truth is the stated one.

    `excess` and `shortfall` are known errors of asymptotic or conservative intervals, given by the test."""
    contained = np.asarray(contained)
    found, error = contained.mean(0), error_of(stated, len(contained))
    assert (stated - error - shortfall <= found).all(), found
    assert (found <= stated + error + excess).all(), found


def assert_covers_at_least(contained: Any, stated: float = STATED) -> None:
    """Assert that the fraction of intervals that contain the truth is at least the stated one."""
    assert_covers(contained, stated, excess=1.0)

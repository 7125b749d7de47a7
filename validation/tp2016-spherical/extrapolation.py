"""Gragg-Bulirsch-Stoer extrapolation in extended precision: the reference solutions' second integrator.

The modified midpoint rule has an error expansion in even powers of its step (Gragg 1965), so values made with
n = 2, 4, ..., 2K substeps extrapolate to order 2K (Hairer, Norsett and Wanner, Solving Ordinary Differential
Equations I, section II.9). Steps are fixed: convergence is then judged by halving them, with no error
estimator to trust. Everything runs in numpy.longdouble (64-bit mantissa on x86).
"""

from itertools import pairwise

import numpy as np

REAL = np.longdouble


def midpoint(rate, time, state, step, substeps):
    """State after `step`, by `substeps` modified midpoint substeps (even number)."""
    h = step / substeps
    before, here = state, state + h * rate(time, state)
    for k in range(1, substeps):
        before, here = here, before + 2 * h * rate(time + k * h, here)
    return here


def extrapolated_step(rate, time, state, step, columns):
    """State after `step`, of order 2 * columns, by Aitken-Neville in the square of the substep."""
    numbers = [2 * (j + 1) for j in range(columns)]
    row = []
    for j, n in enumerate(numbers):
        new = [midpoint(rate, time, state, step, n)]
        for k in range(1, j + 1):
            ratio = (REAL(n) / REAL(numbers[j - k])) ** 2
            new.append(new[k - 1] + (new[k - 1] - row[k - 1]) / (ratio - 1))
        row = new
    return row[-1]


def integrate(rate, state, times, steps_between, columns=6):
    """States at `times` [s], (len(times), n); `steps_between` equal steps in each interval."""
    state = np.asarray(state, dtype=REAL)
    samples = [state]
    for start, end in pairwise(times):
        step = (REAL(end) - REAL(start)) / steps_between
        for k in range(steps_between):
            state = extrapolated_step(rate, REAL(start) + k * step, state, step, columns)
        samples.append(state)
    return np.array(samples)

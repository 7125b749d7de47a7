"""Gauss collocation of order 2 s in extended precision: the integrator of the reference solutions.

Implicit Runge-Kutta at Gauss points (Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I,
section II.7), stages found by fixed-point iteration to round-off, steps added with compensated summation
(Kahan). It is chosen because it hardly amplifies rounding: what is left is the error of the right-hand side
times the step. Extrapolation (extrapolation.py), which shares nothing with it, loses two digits more and is
its check.
"""

from functools import cache
from itertools import pairwise

import mpmath
import numpy as np

REAL = np.longdouble


@cache
def gauss(stages):
    """Nodes c (s), weights b (s) and matrix a (s, s) of the s-stage Gauss method on [0, 1]."""
    with mpmath.workdps(60):
        legendre = mpmath.taylor(lambda x: mpmath.legendre(stages, 2 * x - 1), 0, stages)
        c = sorted(mpmath.re(r) for r in mpmath.polyroots(legendre[::-1], maxsteps=500, extraprec=200))
        powers = mpmath.matrix(stages, stages)
        for i in range(stages):
            for k in range(stages):
                powers[i, k] = c[i] ** k
        basis = powers**-1  # column i: coefficients of the i-th Lagrange polynomial
        ends = [*c, mpmath.mpf(1)]
        rows = [
            [sum(basis[k, i] * x ** (k + 1) / (k + 1) for k in range(stages)) for i in range(stages)]
            for x in ends
        ]
        text = [[REAL(mpmath.nstr(x, 30)) for x in row] for row in [c, *rows]]
    return np.array(text[0]), np.array(text[-1]), np.array(text[1:-1])


def step_rates(rate, time, state, step, tableau, guess):
    """Stage rates (s, n) of one step, iterated from `guess` until only rounding is left in their changes."""
    c, _, a = tableau
    rates, last = guess, np.inf
    for _ in range(60):
        new = np.array([rate(time + ci * step, state + step * y) for ci, y in zip(c, a @ rates)])
        change = float(np.max(np.abs(new - rates)) / (1 + np.max(np.abs(new))))
        rates = new
        if change == 0 or (change < 1e-15 and change > last / 2):  # rounding, no longer contraction
            return rates
        last = change
    raise ArithmeticError(f"stages did not converge at {time} s (last change {last:.1e}): take shorter steps")


def integrate(rate, state, times, steps_between, stages=8):
    """States at `times` [s], (len(times), n); `steps_between` equal steps in each interval."""
    tableau = gauss(stages)
    state = np.asarray(state, dtype=REAL)
    lost = np.zeros_like(state)
    rates = np.tile(rate(REAL(times[0]), state), (stages, 1))
    samples = [state]
    for start, end in pairwise(times):
        step = (REAL(end) - REAL(start)) / steps_between
        for k in range(steps_between):
            rates = step_rates(rate, REAL(start) + k * step, state, step, tableau, rates)
            change = step * (tableau[1] @ rates) - lost
            state, before = state + change, state
            lost = (state - before) - change
        samples.append(state)
    return np.array(samples)

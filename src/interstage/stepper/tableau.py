"""Explicit Runge-Kutta methods with their published coefficients."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Tableau:
    """One explicit Runge-Kutta method.

    - order: order of the solution. error_order: order of the error estimate.
    - a: coefficients of the stages below the diagonal; the first stage has no row.
    - b: weights. c: nodes.
    - errors: one row of weights for an embedded pair, two rows for the blended estimate of DOP853. Empty for
      a method with fixed steps. A weight beyond the stages belongs to the derivative at the end of the step.
    """

    name: str
    order: int
    error_order: int
    a: tuple[tuple[float, ...], ...]
    b: tuple[float, ...]
    c: tuple[float, ...]
    errors: tuple[tuple[float, ...], ...] = ()

    @property
    def stages(self) -> int:
        """Return the number of stages. The first stage is the derivative at the end of the last step."""
        return len(self.b)

    def matrix(self) -> np.ndarray:
        """Return the coefficients of the slopes for each stage and for the end, (stages + 1, stages + 1): the
        rows of `a`, then the weights `b`.
        """
        full = np.zeros((self.stages + 1, self.stages + 1))
        for row, values in enumerate((*self.a, self.b), start=1):
            full[row, : len(values)] = values
        return full

    def nodes(self) -> np.ndarray:
        """Return the nodes of the stages and of the end as fractions of the step."""
        return np.array((*self.c, 1.0))

    @property
    def telling(self) -> tuple[int, ...]:
        """Return the indices of the stages inside the step whose states approximate the solution, in the
        order of their nodes.

        The approximations at these stages have at least third order. They are exact if accelerations are
        linear in time: sum a_ij c_j = c_i^2/2 and sum a_ij c_j^2 = c_i^3/3 (Hairer, Norsett and Wanner 1993,
        II.4).
        """
        c, a = self.nodes()[:-1], self.matrix()[:-1, :-1]
        near = [np.abs(a @ c ** (k - 1) - c**k / k) < 1e-12 for k in (2, 3)]
        stages = [i for i in range(self.stages) if near[0][i] and near[1][i] and 0 < c[i] < 1]
        return tuple(sorted(stages, key=lambda i: c[i]))


RK4 = Tableau(
    # Kutta (1901); the method of the CFE reports.
    name="rk4",
    order=4,
    error_order=0,
    a=((1 / 2,), (0.0, 1 / 2), (0.0, 0.0, 1.0)),
    b=(1 / 6, 1 / 3, 1 / 3, 1 / 6),
    c=(0.0, 1 / 2, 1 / 2, 1.0),
)

DOPRI5 = Tableau(
    # Dormand and Prince, J. Comp. Appl. Math. 6 (1980) 19-26, RK5(4)7M. Its seventh stage is the
    # derivative at the end of the step, which every method here has; it enters the error estimate only.
    name="dopri5",
    order=5,
    error_order=4,
    a=(
        (1 / 5,),
        (3 / 40, 9 / 40),
        (44 / 45, -56 / 15, 32 / 9),
        (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
        (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    ),
    b=(35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
    c=(0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0),
    errors=((71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40),),
)

DOP853 = Tableau(
    # Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I (2nd ed., 1993), code DOP853:
    # order 8 with a blend of estimates of orders 5 and 3 (first and second row of `errors`).
    name="dop853",
    order=8,
    error_order=7,
    a=(
        (0.05260015195876773,),
        (0.0197250569845379, 0.0591751709536137),
        (0.02958758547680685, 0.0, 0.08876275643042054),
        (0.2413651341592667, 0.0, -0.8845494793282861, 0.924834003261792),
        (0.037037037037037035, 0.0, 0.0, 0.17082860872947386, 0.12546768756682242),
        (0.037109375, 0.0, 0.0, 0.17025221101954405, 0.06021653898045596, -0.017578125),
        (
            0.03709200011850479,
            0.0,
            0.0,
            0.17038392571223998,
            0.10726203044637328,
            -0.015319437748624402,
            0.008273789163814023,
        ),
        (
            0.6241109587160757,
            0.0,
            0.0,
            -3.3608926294469414,
            -0.868219346841726,
            27.59209969944671,
            20.154067550477894,
            -43.48988418106996,
        ),
        (
            0.47766253643826434,
            0.0,
            0.0,
            -2.4881146199716677,
            -0.590290826836843,
            21.230051448181193,
            15.279233632882423,
            -33.28821096898486,
            -0.020331201708508627,
        ),
        (
            -0.9371424300859873,
            0.0,
            0.0,
            5.186372428844064,
            1.0914373489967295,
            -8.149787010746927,
            -18.52006565999696,
            22.739487099350505,
            2.4936055526796523,
            -3.0467644718982196,
        ),
        (
            2.273310147516538,
            0.0,
            0.0,
            -10.53449546673725,
            -2.0008720582248625,
            -17.9589318631188,
            27.94888452941996,
            -2.8589982771350235,
            -8.87285693353063,
            12.360567175794303,
            0.6433927460157636,
        ),
    ),
    b=(
        0.054293734116568765,
        0.0,
        0.0,
        0.0,
        0.0,
        4.450312892752409,
        1.8915178993145003,
        -5.801203960010585,
        0.3111643669578199,
        -0.1521609496625161,
        0.20136540080403034,
        0.04471061572777259,
    ),
    c=(
        0.0,
        0.05260015195876773,
        0.0789002279381516,
        0.1183503419072274,
        0.2816496580927726,
        0.3333333333333333,
        0.25,
        0.3076923076923077,
        0.6512820512820513,
        0.6,
        0.8571428571428571,
        1.0,
    ),
    errors=(
        (
            0.01312004499419488,
            0.0,
            0.0,
            0.0,
            0.0,
            -1.2251564463762044,
            -0.4957589496572502,
            1.6643771824549864,
            -0.35032884874997366,
            0.3341791187130175,
            0.08192320648511571,
            -0.022355307863886294,
        ),
        (
            -0.18980075407240762,
            0.0,
            0.0,
            0.0,
            0.0,
            4.450312892752409,
            1.8915178993145003,
            -5.801203960010585,
            -0.4226823213237919,
            -0.1521609496625161,
            0.20136540080403034,
            0.02265179219836082,
        ),
    ),
)

METHODS = {method.name: method for method in (RK4, DOPRI5, DOP853)}

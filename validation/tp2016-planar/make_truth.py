"""Closed form of TP-2016 test case 7 (planar joint): writes truth.csv.

    python make_truth.py [--check]

The cylinder spins about its own y axis, on which its centre of mass lies, with the constant angular
acceleration alpha = M_y / I_yy, so the angle is th = alpha t^2 / 2. The force turns with it: its components
in the plane drive x'' = (F_x cos th + F_z sin th) / m and z'' = (F_z cos th - F_x sin th) / m, whose
integrals are Fresnel's. With S and C the integrals of sin th and cos th from 0 to t, int C dt = t C - sin th
/ alpha and int S dt = t S - (1 - cos th) / alpha. The shared part is ../tp2016-translational/brick.py."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tp2016-translational"))

from brick import Brick, Free, cross, make, matrix, mpf, mpmath, vector  # noqa: E402


def spiral(alpha: mpf, t: mpf) -> tuple[mpf, mpf]:
    """The integrals C and S of cos and sin of alpha t^2 / 2 from 0 to t."""
    scale = mpmath.sqrt(mpmath.pi / abs(alpha))
    return scale * mpmath.fresnelc(t / scale), mpmath.sign(alpha) * scale * mpmath.fresnels(t / scale)


def free(brick: Brick, t: mpf) -> Free:
    """Uniform spin about the normal, Fresnel's integrals in the plane."""
    alpha = cross(brick.arm, brick.force)[1] / brick.inertia[1]
    angle = alpha * t**2 / 2
    cos, sin = mpmath.cos(angle), mpmath.sin(angle)
    c, s = spiral(alpha, t)
    c2, s2 = t * c - sin / alpha, t * s - (1 - cos) / alpha
    fx, fz = brick.force[0] / brick.mass, brick.force[2] / brick.mass
    path = [matrix([fx * a + fz * b, 0, fz * a - fx * b]) for a, b in ((c2, s2), (c, s), (cos, sin))]
    return Free(angle, alpha * t, alpha, *path)


CASE_7 = Brick(
    mass=mpf(5),
    inertia=vector("1.771", "2.083", "0.521"),
    centre=vector("0", "1.5833333", "0"),
    force=vector("-10", "2000", "-6"),
    arm=vector("0.3", "-0.08333", "-0.5"),
    axis=1,
    free=free,
)


def check_fresnel() -> None:
    """SciPy's Fresnel integrals (float64) beside mpmath's over the range that is used."""
    from scipy.special import fresnel

    alpha = CASE_7.free(CASE_7, mpf(1)).acceleration
    scale = mpmath.sqrt(mpmath.pi / alpha)
    worst = 0.0
    for k in range(1, 201):
        c, s = (float(x / scale) for x in spiral(alpha, mpf(k) / 20))
        other = fresnel(float(mpf(k) / 20 / scale))
        worst = max(worst, abs(other[1] - c), abs(other[0] - s))
    print(f"SciPy's Fresnel integrals against mpmath's: {worst:.1e}")


if __name__ == "__main__":
    make(HERE, CASE_7)
    if "--check" in sys.argv:
        check_fresnel()

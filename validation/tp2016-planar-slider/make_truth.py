"""TP-2016 eqs 79-90: checked by SymPy, then their values at seeded random states written to truth.json.

    python make_truth.py

SymPy differentiates the vector definitions of eqs 56 and 59 (not the printed g) and every printed line must
agree identically; any that does not is named. The values come from printed_equations.py and are compared
with SymPy's, evaluated with 30 digits.
"""

import json
from pathlib import Path

import numpy as np
import printed_equations as printed
import sympy as sp

SEED, COUNT = 219326, 24
t = sp.Symbol("t")
Q = [sp.Function(f"q{k}")(t) for k in range(1, 7)]
q, u, du = (sp.symbols(f"{x}1:7") for x in ("q", "u", "d"))
p_a, p_b, eta, l1, l2 = sp.symbols("p_a p_b eta l1 l2")


def in_symbols(expression):
    """Derivatives and functions of t to the symbols d, u, q."""
    for k in range(6):
        expression = expression.subs(sp.Derivative(Q[k], (t, 2)), du[k])
    for k in range(6):
        expression = expression.subs(sp.Derivative(Q[k], t), u[k])
    return expression.subs(dict(zip(Q, q)))


def derived():
    """g, gdot, gddot, alpha^T, gamma', alpha^T lambda by differentiating the vectors of eqs 56 and 59."""
    a1, a2 = sp.Matrix([sp.cos(Q[2]), sp.sin(Q[2])]), sp.Matrix([-sp.sin(Q[2]), sp.cos(Q[2])])
    b2 = sp.Matrix([-sp.sin(Q[5]), sp.cos(Q[5])])
    on_a, on_b = sp.Matrix(Q[0:2]) + p_a * a2, sp.Matrix(Q[3:5]) - p_b * b2
    g = sp.Matrix([(on_b - on_a).dot(a2), b2.dot(a1)])
    gd, gdd = g.diff(t), g.diff(t, 2)
    g, gd, gdd = (x.applyfunc(in_symbols) for x in (g, gd, gdd))
    alpha = gdd.jacobian(list(du))
    gamma = gdd.subs(dict.fromkeys(du, 0)) + 2 * eta * gd + eta**2 * g
    return {
        "g": g, "gdot": gd, "gddot": gdd, "alphaT": alpha.T, "gamma": gamma,
        "forces": alpha.T * sp.Matrix([l1, l2]),
    }  # fmt: skip


def as_printed():
    """The same six from printed_equations.py, fed with symbols."""
    numpy_functions = printed.np

    class Symbolic:
        """Stands for NumPy while the printed lines are evaluated on symbols."""

        sin, cos = staticmethod(sp.sin), staticmethod(sp.cos)
        array = staticmethod(lambda rows: sp.Matrix(rows))

    printed.np = Symbolic
    try:
        return {
            "g": printed.displacement(q, p_a, p_b),
            "gdot": printed.rate(q, u, p_b),
            "gddot": printed.acceleration(q, u, du, p_b),
            "alphaT": printed.alpha_transposed(q, p_b),
            "gamma": printed.gamma_stabilized(q, u, p_a, p_b, eta),
            "forces": printed.generalized_forces(q, p_b, (l1, l2)),
        }
    finally:
        printed.np = numpy_functions


def check_symbolic():
    """Each printed equation against the derived one; eqs 89, 90 through the moments that they must make."""
    ours, theirs = derived(), as_printed()
    for name, value in ours.items():
        left = (value - theirs[name]).applyfunc(lambda x: sp.simplify(sp.expand_trig(sp.expand(x))))
        print(f"{name}: {'as derived' if left == sp.zeros(*left.shape) else f'DIFFERS by {left.tolist()}'}")
    a2, b2 = sp.Matrix([-sp.sin(q[2]), sp.cos(q[2])]), sp.Matrix([-sp.sin(q[5]), sp.cos(q[5])])
    force, arm = l1 * a2, -p_b * b2
    turning = arm[0] * force[1] - arm[1] * force[0] - l2  # eq 90: T = -lambda_2 b3
    made = sp.Matrix([force[0], force[1], turning])
    left = (made - ours["forces"][3:, :]).applyfunc(lambda x: sp.simplify(sp.expand_trig(x)))
    print(f"eqs 89, 90 against B's generalized forces, off the constraint: {left.tolist()}")
    print(f"   on it (q6 = q3): {[sp.simplify(x) for x in left.subs(q[5], q[2])]}")


def state(random, on):
    """One random case; `on`: positions and rates satisfy both constraints."""
    x = {"p_a": random.uniform(0.2, 2), "p_b": random.uniform(0.2, 2), "eta": random.uniform(0, 10)}
    for name, size, low, high in (
        ("q", 6, -3, 3), ("u", 6, -4, 4), ("du", 6, -5, 5), ("sigma", 6, -9, 9), ("multipliers", 2, -6, 6),
    ):  # fmt: skip
        x[name] = random.uniform(low, high, size)
    x["q"][5] = x["q"][2] + random.uniform(-1.2, 1.2)  # the rows lose rank where b2 is parallel to a1
    x["mass"], x["inertia"] = random.uniform(0.5, 5, 2), random.uniform(0.1, 3, 2)
    if on:
        place, speed = x["q"], x["u"]
        place[5], speed[5] = place[2], speed[2]
        a1 = np.array([np.cos(place[2]), np.sin(place[2])])
        a2 = np.array([-a1[1], a1[0]])
        along, slide = random.uniform(-2, 2, 2)
        apart = along * a1 + (x["p_a"] + x["p_b"]) * a2
        place[3:5] = place[:2] + apart
        turning = speed[2] * np.array([-apart[1], apart[0]])
        speed[3:5] = speed[:2] + turning + slide * a1
    return x


def values(x):
    """All printed quantities at one case, with the motion that eqs 30 and 34 give for the loads sigma."""
    place, speed, p = x["q"], x["u"], (x["p_a"], x["p_b"])
    alpha_t = printed.alpha_transposed(place, p[1])
    gamma = printed.gamma_stabilized(place, speed, *p, x["eta"])
    (m_a, m_b), (k_a, k_b) = x["mass"], x["inertia"]
    inverse = 1 / np.array([m_a, m_a, k_a, m_b, m_b, k_b])
    solved = np.linalg.solve((alpha_t.T * inverse) @ alpha_t, -(alpha_t.T @ (inverse * x["sigma"]) + gamma))
    return {
        "g": printed.displacement(place, *p),
        "gdot": printed.rate(place, speed, p[1]),
        "gddot": printed.acceleration(place, speed, x["du"], p[1]),
        "alphaT": alpha_t,
        "gamma_stabilized": gamma,
        "generalized_forces": printed.generalized_forces(place, p[1], x["multipliers"]),
        "force_on_b": printed.force_on_b(place, x["multipliers"]),
        "torque_on_b": printed.torque_on_b(x["multipliers"]),
        "solved_multipliers": solved,
        "solved_accelerations": inverse * (x["sigma"] + alpha_t @ solved),
    }


def check_numbers(cases):
    """The values in float64 against SymPy's derived expressions with 30 digits."""
    names = {"g": "g", "gdot": "gdot", "gddot": "gddot", "alphaT": "alphaT", "gamma": "gamma_stabilized"}
    expressions, worst = derived(), 0.0
    for x in cases:
        point = dict(zip((*q, *u, *du), [*x["q"], *x["u"], *x["du"]]))
        point |= {p_a: x["p_a"], p_b: x["p_b"], eta: x["eta"]}
        point = {k: sp.Float(float(v), 30) for k, v in point.items()}
        for name, key in names.items():
            exact = np.array(expressions[name].subs(point).evalf(30).tolist(), dtype=float)
            worst = max(worst, float(np.abs(exact.reshape(np.shape(x[key])) - x[key]).max()))
    print(f"values against SymPy with 30 digits: {worst:.1e}")


def plain(case):
    """Arrays to lists."""
    return {k: v.tolist() if hasattr(v, "tolist") else v for k, v in case.items()}


if __name__ == "__main__":
    check_symbolic()
    random = np.random.default_rng(SEED)
    cases = []
    for on in (False, True):
        for _ in range(COUNT):
            inputs = state(random, on)
            cases.append({"on_constraint": on, **inputs, **values(inputs)})
    check_numbers(cases)
    left = max(np.abs([c["g"], c["gdot"]]).max() for c in cases if c["on_constraint"])
    print(f"cases on the constraint: |g|, |gdot| below {left:.1e}")
    rows = ",\n".join(json.dumps(plain(c)) for c in cases)
    (Path(__file__).parent / "truth.json").write_text(f'{{"seed": {SEED}, "cases": [\n{rows}\n]}}\n')

"""Two uniform beams whose ends a fixed joint holds together, with modes as declared: those of the free beams,
and if asked for the residual vectors of the held ends, as finite elements add them to modes (Nastran's
RESVEC)."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh

from .euler_beam import compliance, modes, yieldings

TEXT = """
title = "Two stages that bend, held by a rigid joint, pushed aside at the tail, and release while bent"
gravity = "none"

[bodies.lower]
mass = {masses[0]}
inertia = [50, {inertias[0]}, {inertias[0]}]
initial = {{}}

[bodies.upper]
mass = {masses[1]}
inertia = [10, {inertias[1]}, {inertias[1]}]
initial = {{ through = "flange" }}

[joints.flange]
kind = "fixed"
parent = "lower"
child = "upper"
parent_at = [{halves[0]}, 0, 0]
child_at = [-{halves[1]}, 0, 0]

[forces.lower_bends]
kind = "modal_body"
body = "lower"
{modes[0]}
[forces.upper_bends]
kind = "modal_body"
body = "upper"
{modes[1]}
[engines.thruster]
kind = "engine"
body = "lower"
at = [-{halves[0]}, 0, 0]
direction = [0, 1, 0]
thrust = {push}
massless = true
ignited = true

[[phases]]
name = "joined"
until = {{ time = {let_go} }}

[[phases]]
name = "apart"
shut_down = ["thruster"]
release = ["flange"]
until = {{ elapsed = 0.1 }}

[output]
interval = 0.002

[solver]
tolerance = 1e-12
"""


def text(beams, shapes, push=0.0, let_go=0.2):
    """The scenario of two beams with the shapes (`shaped`) of each."""
    numbers = {
        "masses": [beam.mass * beam.length for beam in beams],
        "inertias": [beam.mass * beam.length**3 / 12 for beam in beams],
        "halves": [beam.length / 2 for beam in beams],
    }
    tables = [_table(beam, *own) for beam, own in zip(beams, shapes, strict=True)]
    return TEXT.format(modes=tables, push=push, let_go=let_go, **numbers)


def sprung(told, beams, along, about):
    """The same with a bushing of equal stiffnesses [N/m, N m/rad] in place of the joint."""
    middle = sum(beam.length for beam in beams) / 2
    bushing = f"stiffness = {[along] * 3}\ntorsional_stiffness = {[about] * 3}\nphases = ['joined']"
    return (
        told.replace('initial = { through = "flange" }', f"initial = {{ position = [{middle}, 0, 0] }}")
        .replace('[joints.flange]\nkind = "fixed"', f'[forces.flange]\nkind = "bushing"\n{bushing}')
        .replace('release = ["flange"]\n', "")
    )


def shaped(beam, count, end, residual=False):
    """Angular frequencies and masses of modes, and a function of x that gives their displacements and slopes.
    residual: with those of the residual vectors of the end x = `end`."""
    found = modes(beam, count)

    def of_modes(x):
        return np.array([found.shape(x), found.slope(x)])

    if not residual:
        return found.omega, found.mass, of_modes
    sign = 1.0 if end else -1.0
    answers = of_modes(end) / (found.mass * found.omega**2)  # of modes to a force and a moment there
    stiffness = compliance(beam) * np.array([[1, sign], [sign, 1]]) - answers @ of_modes(end).T
    static = yieldings(beam)
    square = np.array(
        [[beam.mass * (one * other).integ()(beam.length) for other in static] for one in static]
    ) * np.array([[1, sign], [sign, 1]])
    omega2, vectors = eigh(stiffness, square - (answers * found.mass) @ answers.T)

    def of_all(x):
        along = x if end else beam.length - x
        answer = np.array([[1.0, sign]]) * np.array(
            [[w(along) for w in static], [sign * w.deriv()(along) for w in static]]
        )
        return np.concatenate([of_modes(x), (answer - of_modes(x) @ answers.T) @ vectors], 1)

    return np.append(found.omega, np.sqrt(omega2)), np.append(found.mass, np.ones(2)), of_all


def _table(beam, omega, mass, shape):
    lines = [f"frequency = {omega.tolist()}", f"mass = {mass.tolist()}"]
    points = []
    for name, x in (("start", 0.0), ("end", beam.length)):
        both = shape(x)
        moved = [[0.0, float(w), 0.0] for w in both[0]]
        turned = [[0.0, 0.0, float(slope)] for slope in both[1]]
        points.append(f"{name} = {{ at = [{x - beam.length / 2}, 0, 0], shape = {moved}, turn = {turned} }}")
    return "\n".join([*lines, f"points = {{ {', '.join(points)} }}", ""])

"""Order and stability of the staggered procedure over its regularization: python docs/studies/staggered.py

Flies validation/park-double-pendulum with steps, regularizations and restarts of many sizes, each form
compiled once; writes the tables into staggered.md and draws the errors. Truth: the table of that case.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from pages import STYLE, written

import interstage
from interstage.engine.layout import Layout
from interstage.engine.mechanism import Mechanism
from interstage.engine.numbers import numbers
from interstage.engine.own_steps import own_steps
from interstage.programs.program import Program, fast_program
from interstage.tree.addresses import replace_leaf

HERE = Path(__file__).parent
CASE = HERE.parents[1] / "validation" / "park-double-pendulum"
STEPS = 4e-3 * 2.0 ** -np.arange(4)  # s
MIDDLE = 1e-3  # s, the step at which the rules for eps meet
BRIEF, LONG = 1.0, 10.0  # s
RATE = 12.53
"""Largest angular velocity of a bar in the true motion [rad/s]."""
MASS, ACROSS, G, LENGTH = 1.0, 1 / 12 + 1e-4, 9.81, 1.0  # kg, kg m^2, m/s^2, m
THIN, THICK = 2e-4, 2e-2
"""Moments of inertia of a bar about itself [kg m^2]: of the case, and one that joints hardly spin up."""
SAMPLES = (80, 40, 30, 20, 12, 8, 6)
PLURAL = {"position": "positions", "velocity": "velocities"}
WEIGHTS = {"position": (0.05, 0.125, 0.25, 0.5, 1, 2, 4), "velocity": (0.05, 0.125, 0.25, 0.5, 1, 2)}
RULES = ("eps fixed", "eps ~ h", "eps ~ h^2", "eps ~ h^3")
MEETING = {"position": 0.5, "velocity": 0.25}
"""c at the step `MIDDLE`, where the rules for eps meet."""


def rules(level: str) -> dict[str, Callable[[float], float]]:
    """How eps goes with the step: label -> c of the step [s]. eps is in proportion to c h^2 from positions,
    to c h from velocities."""
    c, own = MEETING[level], 2 if level == "position" else 1
    return {
        f"{RULES[power]}, c = {c} at 1 ms": lambda h, power=power: c * (h / MIDDLE) ** (power - own)
        for power in range(own + 2)
        if power != own
    }


class End(NamedTuple):
    """A flight in steps of one length: its last state, the largest gap on the way [m], and the range of the
    energy [J]."""

    x: np.ndarray
    gap: float
    energy: float

    @property
    def apart(self) -> bool:
        """Whether the joints have come apart by a bar's length, or numbers have ended."""
        return not self.gap < LENGTH


class Flown:
    """The double pendulum by one form, to be flown with any step and regularization."""

    def __init__(self, **options: Any):
        changes = {"solver.formulation": {"kind": "staggered"} | options, "solver.step": MIDDLE}
        self.scenario = interstage.load(CASE / "scenario.toml", set=changes)
        begun = jax.device_get(Program(self.scenario).begin(self.scenario, 0.0))
        layout, own = Layout(self.scenario), own_steps("staggered")

        def fly(scenario, count):
            flown = Mechanism(layout, scenario, numbers(layout, scenario, 0), begun.reference)
            h, discrete = scenario.solver.step, begun.discrete

            def step(k, now):
                x, gap, low, high = now
                t = (k + 1) * h
                x = own.advance(flown, k * h, t, x, x, discrete).x
                rows = flown.rows(t, *flown.geometry(t, flown.motion(x), discrete), discrete)
                e = energy(flown, x)
                gap = jnp.maximum(gap, jnp.max(jnp.abs(rows.g)))
                return x, gap, jnp.minimum(low, e), jnp.maximum(high, e)

            e = energy(flown, begun.x)
            return jax.lax.fori_loop(0, count, step, (begun.x, 0.0, e, e))

        self._fly = fast_program(fly, {})

    def fly(self, step: float, time: float, c: float, about: float = THIN) -> End:
        """A flight of some time [s] with the regularization c and the bars' moment of inertia about
        themselves [kg m^2]."""
        scenario, solver = self.scenario, self.scenario.solver
        formulation = replace_leaf(solver.formulation, "regularization", np.asarray(c, float))
        solver = replace_leaf(replace_leaf(solver, "step", np.asarray(step)), "formulation", formulation)
        inertia = np.diag([about, ACROSS, ACROSS])
        bodies = tuple(replace_leaf(body, "inertia", inertia) for body in scenario.bodies)
        scenario = replace_leaf(replace_leaf(scenario, "bodies", bodies), "solver", solver)
        x, gap, low, high = self._fly(scenario, round(time / step))
        return End(np.asarray(x), float(gap), float(high - low))


def energy(mechanism: Mechanism, x):
    """Kinetic and potential energy [J]."""
    r, v, _, w, *_ = mechanism.split(x)
    about = jnp.stack([jnp.asarray(body.inertia) for body in mechanism.scenario.bodies], 2)
    spin = jnp.sum(w[:, None] * about * w[None])
    return 0.5 * (MASS * jnp.sum(v * v) + spin) + MASS * G * jnp.sum(r[2])


@cache
def form(level: str, restart: int | None = 1) -> Flown:
    """One form, compiled once."""
    return Flown(level=level, restart=restart)


@cache
def truth() -> np.ndarray:
    """True centres of mass at `BRIEF` (bar, 3) [m]."""
    table = np.genfromtxt(CASE / "truth.csv", delimiter=",", names=True)
    row = table[np.argmin(np.abs(table["time"] - BRIEF))]
    return np.array([[row[f"position{bar}{axis}"] for axis in "xyz"] for bar in ("upper", "lower")])


def error(level: str, step: float, c: float) -> float:
    """Largest error of a centre of mass at `BRIEF` [m]; not a number where the flight has come apart."""
    end = form(level).fly(step, BRIEF, c)
    off = np.abs(end.x[:6].reshape(3, 2).T - truth()).max()
    return np.nan if end.apart else float(off)


def errors(level: str, c: Callable[[float], float]) -> np.ndarray:
    """Errors at all steps [m]."""
    return np.array([error(level, h, c(h)) for h in STEPS])


def order(found: np.ndarray) -> float:
    """Slope of the errors over the steps, in logarithms."""
    return float(np.polyfit(np.log(STEPS), np.log(found), 1)[0])


def size(value: float) -> str:
    """A number of the tables."""
    return f"{value:.1e}" if np.isfinite(value) else "apart"


def orders(level: str) -> list[list[str]]:
    """Lines of a form: errors at each step, their order, and the gap after 10 s in steps of 1 ms."""
    ways: dict[str, Callable[[float], float]] = {f"c = {c}": lambda h, c=c: c for c in WEIGHTS[level]}
    lines = [["", *(f"{1e3 * h:g} ms" for h in STEPS), "order", "gap in 10 s"]]
    for label, c in (ways | rules(level)).items():
        found = errors(level, c)
        slope = f"{order(found):.2f}" if np.isfinite(found).all() else ""
        later = ""
        if label in ways:
            end = form(level).fly(MIDDLE, LONG, c(MIDDLE))
            later = size(np.nan if end.apart else end.gap)
        lines.append([label, *map(size, found), slope, later])
    return lines


def samples() -> list[list[str]]:
    """Lines of the second table: gaps and ranges of energy over 10 s at so many steps in a turn."""
    lines = [["steps in a turn", *map(str, SAMPLES)]]
    bars = {"thick": THICK, "thin": THIN}
    for label, restart, which, c in (
        ("thick bars", 1, "thick", 0.5),
        ("thick bars, c = 0.1", 1, "thick", 0.1),
        ("thick bars, afresh after 10 steps", 10, "thick", 0.5),
        ("thick bars, never afresh", None, "thick", 0.5),
        ("thin bars", 1, "thin", 0.5),
        ("thin bars, c = 0.1", 1, "thin", 0.1),
    ):
        ends = [form("position", restart).fly(2 * np.pi / RATE / n, LONG, c, bars[which]) for n in SAMPLES]
        lines.append([label, *(size(np.nan if e.apart else e.gap) for e in ends)])
        if restart == 1 and c == 0.5:
            shown = (size(np.nan if e.apart else e.energy) for e in ends)
            lines.append([f"{label}: range of the energy [J]", *shown])
    return lines


def draw() -> None:
    """Errors over the step by the rules for eps, and over c at one step."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    from interstage.drawing.figure import COLOURS

    with rc_context(STYLE):
        figure = Figure(figsize=(9.6, 4.2), layout="constrained")
        left, right = figure.subplots(1, 2, sharey=True)
        for level, mark in (("position", "o"), ("velocity", "s")):
            own = RULES[2 if level == "position" else 1]
            ways = {own: lambda h, c=MEETING[level]: c} | rules(level)
            for label, c in ways.items():
                rule = label.partition(",")[0]
                name = f"{PLURAL[level]}, {rule.replace('^2', '²').replace('^3', '³')}"
                colour = COLOURS[RULES.index(rule)]
                left.plot(1e3 * STEPS, errors(level, c), mark + "-", color=colour, label=name, markersize=4)
            found = [error(level, MIDDLE, c) for c in np.geomspace(0.02, 8, 27)]
            label = f"from {PLURAL[level]}"
            right.plot(
                np.geomspace(0.02, 8, 27), found, mark + "-", color="#333333", label=label, markersize=3
            )
        left.set(xscale="log", yscale="log", xlabel="step [ms]", ylabel="error of a mass centre at 1 s [m]")
        right.set(xscale="log", xlabel="c, at steps of 1 ms")
        left.set_xticks(1e3 * STEPS, [f"{1e3 * h:g}" for h in STEPS])
        left.minorticks_off()
        figure.legend(*left.get_legend_handles_labels(), loc="outside upper left", ncols=4)
        right.legend()
        figure.savefig(HERE.parent / "images" / "staggered.png", dpi=110, metadata={"Software": None})


def main() -> None:
    """Fly, write and draw."""
    for level in ("position", "velocity"):
        written(__file__, f"order from {PLURAL[level]}", orders(level))
    written(__file__, "samples", samples())
    draw()


if __name__ == "__main__":
    main()

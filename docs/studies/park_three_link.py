"""Two treatments of the multipliers inside one implicit step: python docs/studies/park_three_link.py

Flies validation/park-three-link by `simultaneous`, counts the iterations of every step and finds the least
singular value of the matrix that each treatment solves with; writes the tables into park_three_link.md and
draws both over time.
"""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import jax
import numpy as np
from pages import STYLE, written

import interstage
from interstage.engine.layout import Layout
from interstage.engine.own_steps.simultaneous import iterations
from interstage.formulations.elimination import response
from interstage.programs.program import QUICK, fast_program, program_for
from interstage.runs import run as simulate

HERE = Path(__file__).parent
CASE = HERE.parents[1] / "validation" / "park-three-link"
STEP, WEIGHT, MOST = 4e-3, 0.05, 200  # s, c of the staggered treatment, iterations
ACCURACIES = (1e-4, 1e-6, 1e-10)
GAINS = (0.02, 0.2, 0.5, 0.65, 0.75, 0.9)
PAPER = {"staggered": 4.5, "baumgarte": 22.0}
"""Iterations in a step, of the report."""


class Track(NamedTuple):
    """Steps of a flight: their starts [s], iterations, angles of the links at their ends (link, step) [rad],
    the least singular values of K scaled to a unit diagonal, and kappa; whether it came to its end."""

    time: np.ndarray
    count: np.ndarray
    angles: np.ndarray
    least: np.ndarray
    bound: np.ndarray
    completed: bool


def flown(scenario: Any, matrices: bool = False) -> Track:
    """Fly, and keep every step."""
    program = program_for(scenario, (), 1, simulate.ROWS_AT_ONCE)
    first = simulate.start(program, scenario)
    whole = simulate.flown(program, scenario, first)
    cursor, track = whole.cursor, whole.track
    layout = Layout(scenario)
    long = track.t_end > track.t
    count = (iterations(layout, track.x_end.T) - iterations(layout, track.x.T))[long]
    w, _, _, z = np.moveaxis(track.x_end[long, 18:30].reshape(-1, 4, 3), 1, 0)
    angles = (2 * np.arctan2(z, w).T + np.pi) % (2 * np.pi) - np.pi
    least = bound = np.zeros(0)
    if matrices:
        look = _looker(program)
        found = [
            singular(look(scenario, first.reference, track.t[k], track.x[k], _row(track.discrete, k)))
            for k in np.flatnonzero(long)
        ]
        least, bound = np.array(found).T
    done = float(cursor.t) >= float(scenario.phases[-1].until.time)
    return Track(track.t[long], count, angles, least, bound, done)


def _row(discrete, k):
    return jax.tree.map(lambda part: part[k], discrete)


def _looker(program):
    def look(scenario, found, reference, t, x, discrete):
        mechanism = program.mechanism(scenario, 0, reference, found)
        motion = mechanism.motion(x)
        rows = mechanism.rows_of(t, motion, discrete)
        constraints = mechanism.constraints(rows, rows.gamma, discrete, x, motion)
        return response(mechanism.numbers.inertias, constraints)

    return program.program(look, partial(fast_program, options=QUICK))


def singular(matrix) -> tuple[float, float]:
    """Least singular value of K scaled to a unit diagonal, and kappa, its largest sum of a row."""
    matrix = np.asarray(matrix)
    size = np.sqrt(np.diag(matrix))
    scaled = matrix / size / size[:, None]
    return float(np.linalg.svd(scaled, compute_uv=False)[-1]), float(np.abs(scaled).sum(1).max())


def loaded(name: str, treatment: str, accuracy: float, gain: float = 0.02) -> Any:
    """A scenario of the case with steps by one treatment; gain: eta times the step."""
    choice = {"kind": "simultaneous", "treatment": treatment, "tolerance": accuracy}
    choice |= {"max_iterations": MOST, "regularization": WEIGHT}
    changes = {"solver.formulation": choice, "solver.step": STEP, "solver.eta": gain / STEP}
    return interstage.load(CASE / f"{name}.toml", set=changes)


@cache
def deployed(treatment: str, accuracy: float, gain: float = 0.02, matrices: bool = False) -> Track:
    """The deployment through lock-up."""
    return flown(loaded("scenario", treatment, accuracy, gain), matrices)


@cache
def passed(treatment: str, gain: float = 0.02, matrices: bool = False) -> Track:
    """The line of links through its singular pose."""
    return flown(loaded("singular", treatment, 1e-10, gain), matrices)


def strutted(treatment: str) -> Track:
    """The deployment with the last lock written as a distance: from the tip of the first link to a point as
    far behind its hinge."""
    scenario = loaded("scenario", treatment, 1e-6)
    rod = interstage.Joint(
        name="strut",
        kind="rod",
        parent="ground",
        child="link1",
        parent_at=[-1.0, 0, 0],
        child_at=[1.0, 0, 0],
        length=2.0,
        active=False,
    )
    events = tuple(
        event.model_copy(update={"replace": (), "attach": ("strut",)}) if event.name == "lock1" else event
        for event in scenario.events
    )
    return flown(scenario.model_copy(update={"joints": (*scenario.joints, rod), "events": events}))


def locks() -> np.ndarray:
    """Times of the impacts [s]."""
    return np.genfromtxt(CASE / "impacts.csv", delimiter=",", names=True)["time"]


def mean(track: Track) -> float:
    """Iterations in a step, until the last lock."""
    return float(track.count[track.time < locks()[-1]].mean())


def told(track: Track) -> str:
    """Mean and largest number of iterations, or where the flight ended."""
    if not track.completed:
        return f"ends at {track.time[-1] + STEP:.2f} s" if len(track.time) else "ends at once"
    return f"{mean(track):.1f} ({track.count.max():.0f})"


@cache
def gain_of(accuracy: float, count: float) -> float:
    """eta times the step at which Baumgarte's treatment takes so many iterations in a step."""
    low, high = 0.02, 0.83
    for _ in range(10):
        gain = (low + high) / 2
        track = deployed("baumgarte", accuracy, gain)
        low, high = (gain, high) if track.completed and mean(track) < count else (low, gain)
    return (low + high) / 2


def iteration_table() -> list[list[str]]:
    """Iterations by treatment, gain and accuracy."""
    lines = [["treatment", *(f"accuracy {a:.0e}" for a in ACCURACIES)]]
    lines.append(["staggered", *(told(deployed("staggered", a)) for a in ACCURACIES)])
    for gain in GAINS:
        found = [told(deployed("baumgarte", a, gain)) for a in ACCURACIES]
        lines.append([f"Baumgarte, eta h = {gain:g}", *found])
    found = [f"{gain_of(a, PAPER['baumgarte']):.2f}" for a in ACCURACIES]
    lines.append(["Baumgarte: eta h for 22 iterations", *found])
    return lines


def matrix_table() -> list[list[str]]:
    """Least singular values, by what is locked, and in the singular pose."""
    lines = [["", "K (Baumgarte)", "K + E/h (staggered)"]]
    track = deployed("staggered", 1e-10, matrices=True)
    edges = [0.0, *locks(), np.inf]
    for label, early, late in zip(("no hinge", "one", "two", "all three"), edges, edges[1:]):
        here = (track.time >= early) & (track.time < late)
        lines.append([f"{label} locked", *_least(track, here)])
    track = passed("staggered", matrices=True)
    lines.append(["driven tip, whole flight", *_least(track, track.time >= 0)])
    return lines


def _least(track: Track, here) -> list[str]:
    both = track.least[here], track.least[here] + WEIGHT * track.bound[here]
    return [f"{values.min():.1e}" for values in both]


def off(track: Track) -> np.ndarray:
    """Largest error of an angle in the flight through the singular pose, at the ends of its steps [rad]."""
    true = 2.0 * (track.time + STEP) - np.pi / 3
    return np.abs(track.angles - true).max(0)


def passage_table() -> list[list[str]]:
    """Errors of the angles before the singular pose and after it, and iterations."""
    lines = [["treatment", "until 0.5 s [rad]", "at 1 s [rad]", "iterations in a step (most)"]]
    for label, treatment, gain in (
        ("staggered", "staggered", 0.02),
        ("Baumgarte, eta h = 0.02", "baumgarte", 0.02),
        ("Baumgarte, eta h = 0.2", "baumgarte", 0.2),
    ):
        track = passed(treatment, gain)
        error = off(track)
        end = f"{error[-1]:.1e}" if track.completed else f"ends at {track.time[-1] + STEP:.2f} s"
        count = f"{track.count.mean():.1f} ({track.count.max():.0f})"
        lines.append([label, f"{error[track.time < 0.5].max():.1e}", end, count])
    return lines


def draw() -> None:
    """Iterations and least singular values over time: lock-up on the left, the singular pose on the right."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    from interstage.drawing.figure import COLOURS

    with rc_context(STYLE):
        figure = Figure(figsize=(9.6, 6.0), layout="constrained")
        (top, over), (bottom, under) = figure.subplots(2, 2, sharex="col")
        shown = [("staggered", "staggered", 0.02)]
        shown += [(f"Baumgarte, eta h = {gain:.2g}", "baumgarte", gain) for gain in (0.02, gain_of(1e-6, 22))]
        for (label, treatment, gain), colour in zip(shown, COLOURS):
            track = deployed(treatment, 1e-6, gain)
            top.plot(track.time, track.count, color=colour, label=label, linewidth=1)
        for (_, treatment, gain), colour in zip(shown[:2], COLOURS):
            track = passed(treatment, gain)
            over.plot(track.time, off(track), color=colour, linewidth=1)
        for ax, track in (
            (bottom, deployed("staggered", 1e-10, matrices=True)),
            (under, passed("staggered", matrices=True)),
        ):
            ax.plot(track.time, track.least + WEIGHT * track.bound, color=COLOURS[0], linewidth=1)
            ax.plot(track.time, np.maximum(track.least, 1e-17), color=COLOURS[1], linewidth=1)
            ax.set(yscale="log", xlabel="time [s]")
        for ax in (top, bottom):
            for time in locks():
                ax.axvline(time, color="#999999", linewidth=0.7, linestyle=(0, (1, 2)))
        top.set(ylabel="iterations in a step, accuracy 1e-6", title="lock-up")
        over.set(yscale="log", ylabel="error of the angles [rad]", title="driven tip")
        bottom.set(ylabel="least singular value")
        figure.legend(*top.get_legend_handles_labels(), loc="outside upper left", ncols=3)
        path = HERE.parent / "images" / "park_three_link.png"
        figure.savefig(path, dpi=110, metadata={"Software": None})


def main() -> None:
    """Fly, write and draw."""
    written(__file__, "iterations", iteration_table())
    written(__file__, "singular values", matrix_table())
    written(__file__, "passage", passage_table())
    draw()
    for treatment in PAPER:
        track = strutted(treatment)
        end = "to the end" if track.completed else f"until {track.time[-1] + STEP:.4f} s"
        print(f"last lock by a rod, {treatment}: flies {end}")


if __name__ == "__main__":
    main()

"""Draws the figure of hyper_x.md, and writes its table: the piston of Hyper-X four ways.

python docs/cases/hyper_x.py
"""

from __future__ import annotations

import copy
import importlib.util
import sys
import tomllib
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from interstage.studies import verify

HERE = Path(__file__).resolve().parent
CASE = HERE.parents[1] / "validation" / "hyper-x"
FT, INCH, POUND = 0.3048, 0.0254, 4.4482216152605
WAYS = {
    "one piston, slider and revolute": ("scenario.toml", {"color": "black", "lw": 2.2}),
    "two pistons that extend alike": ("pistons.toml", {"color": "tab:cyan", "lw": 1.0, "ls": "--"}),
    "two springs": ("springs.toml", {"color": "tab:orange", "lw": 1.0}),
    "pushed, not held": ("free.toml", {"color": "tab:green", "lw": 1.2, "ls": "-."}),
}
SIDES = {"scenario.toml": ["ball"], "pistons.toml": ["left", "right", "equal"]}
HEADS = [
    "",
    "stroke [s]",
    "speed along the rod [ft/s]",
    "off the line [in]",
    "roll, yaw [deg]",
    "pitching moment [ft lb]",
    "pitch rate at the release [deg/s]",
    "alpha at 0.5 s [deg]",
]
CHANGES: dict[str, dict[str, Any]] = {
    "as declared": {},
    "ball 1 in higher, line 1 in above the centre of mass": {"joints.ball.child_at": (2, -1.0)},
    "research vehicle's centre of mass 5 in further aft": {"bodies.rv.mass_centre": (0, -5.0)},
    "research vehicle 3,000 lb": {"bodies.rv.mass": "3000 lbm"},
    "research vehicle's pitch inertia 20 % more": {"bodies.rv.inertia": (1, 190.0)},
    "wings without trim": {"aerodynamics.wings.coefficients.CN.increment": 0.0},
    "launch vehicle's centre of mass 3 ft further aft": {"bodies.hxlv.mass_centre": (0, -3.0)},
    "launch vehicle's pitch inertia 20 % more": {"bodies.hxlv.inertia": (1, 8000.0)},
    "no aerodynamic interference": {
        **{f"aerodynamics.rv_near.coefficients.{c}": 0.0 for c in ("CA", "CN", "Cm")},
        "aerodynamics.hxlv_near.coefficients.CA": 0.0,
    },
}
"""Numbers of judgement that are changed one at a time: a new value, or what is added to one component."""
JUDGED = [
    "in the plane",
    "stroke [s]",
    "moment at the start, at the release [ft lb]",
    "pitch rate at the release [deg/s]",
    "the same, not held",
]


def changed(table: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """A copy of a scenario's table with some numbers changed."""
    table = copy.deepcopy(table)
    for path, value in changes.items():
        *where, last = path.split(".")
        place = table
        for step in where:
            place = place[step]
        if isinstance(value, tuple):
            numbers, _, unit = place[last].partition("] ")
            known = [float(number) for number in numbers[1:].split(",")]
            known[value[0]] += value[1]
            value = f"{known} {unit}"
        place[last] = value
    return table


def judged(truth: Any) -> list[list[str]]:
    """Lines of the table of what hangs on judgement, by the plane mechanics of the case's truth."""
    lines = []
    for name, changes in CHANGES.items():
        cells = [name]
        for way in ("slider", "free"):
            table = changed(tomllib.loads((CASE / truth.FILES[way]).read_text()), changes)
            states, loads, end = truth.fly(way, 1e-9, table)
            pair = truth.Pair(way, table)
            last = int(np.sum(end > truth.TIMES)) - 1
            before = slice(last - 2, last + 1)
            curve = np.polyfit(truth.TIMES[before] - end, states[before, 11], 2)
            if way == "slider":
                arms = [truth.turn(states[k][8]) @ pair.ball[1] for k in (0, last)]
                frames = [truth.turn(states[k][2]) @ pair.line for k in (0, last)]
                moments = [
                    truth.across(arm) @ frame[:, 1] * loads[k] / (POUND * FT)
                    for arm, frame, k in zip(arms, frames, (0, last), strict=True)
                ]
                cells += [f"{end:.4f}", f"{moments[0]:.0f}, {moments[1]:.0f}"]
            cells.append(f"{np.degrees(curve[-1]):.2f}")
        lines.append(cells)
    return lines


def truth_of_case() -> Any:
    """make_truth.py of the case."""
    found = importlib.util.spec_from_file_location("hyper_x_truth", CASE / "make_truth.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def constraint(file: str, record: Any) -> list[np.ndarray]:
    """Constraint force [lbf] and moment about the centre of mass [ft lb] on the research vehicle, its axes.
    NaN without constraint."""
    series = record.series
    load = np.zeros((2, len(record.time), 3))
    if file == "springs.toml":
        x, z = np.cos(np.radians(4)), np.sin(np.radians(4))
        frame = np.array([[x, 0, z], [0, 1, 0], [-z, 0, x]])
        for side, y in (("left", -9.0), ("right", 9.0)):
            force = np.einsum("tij,tj->ti", relative(record), series[f"forces.{side}.force"] @ frame)
            arm = np.array([-73.5, y, -73.5 * np.tan(np.radians(4))]) * INCH
            load += np.stack([force, np.cross(arm, force)])
    for name in SIDES.get(file, []):
        load += np.stack([series[f"joints.{name}.reaction_child_{what}"] for what in ("force", "torque")])
    load[:, (record.time >= released(record)) | (file == "free.toml")] = np.nan
    return [load[0] / POUND, load[1] / (POUND * FT)]


def relative(record: Any) -> np.ndarray:
    """Matrices from the launch vehicle's axes to those of the research vehicle."""
    return np.einsum(
        "tji,tjk->tik", *(matrices(record.series[f"bodies.{b}.attitude"]) for b in ("rv", "hxlv"))
    )


def matrices(q: np.ndarray) -> np.ndarray:
    """Rotation matrices of unit quaternions, scalar first."""
    w, x, y, z = q.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), -1, 0)


def released(record: Any) -> float:
    """Time of the release [s]."""
    return next(event.time for event in record.events if event.name == "apart")


def draw(records: dict[str, Any]) -> Any:
    """The figure: as the paper has its own, one panel for each component."""
    figure, panels = plt.subplots(5, 3, figsize=(13, 15.5), constrained_layout=True)
    for name, (file, style) in WAYS.items():
        record = records[file]
        series, time = record.series, record.time
        short = time <= 0.1
        gap = series["joints.ball.displacement"] / INCH * [1, 1000, 1000]
        turn = np.degrees(series["joints.ball.rotation"])
        force, moment = constraint(file, record)
        for row, values in enumerate((gap, turn, force, moment)):
            for k in range(3):
                panels[row, k].plot(time[short], values[short, k], label=name, **style)
        air = [np.degrees(series[f"bodies.rv.{angle}"]) for angle in ("alpha", "beta")]
        for k, values in enumerate((*air, series["bodies.rv.sensed_acceleration"][:, 2] / FT)):
            panels[4, k].plot(time, values, **style)
    labels = [
        ["along the piston [in]", "across, lateral [0.001 in]", "across, normal [0.001 in]"],
        [f"relative {axis} [deg]" for axis in ("roll", "pitch", "yaw")],
        [f"constraint force {axis} [lbf]" for axis in "xyz"],
        [f"constraint moment {axis} [ft lb]" for axis in "xyz"],
        ["alpha [deg]", "beta [deg]", "sensed acceleration z [ft/s$^2$]"],
    ]
    end = released(records["scenario.toml"])
    limits = {(0, 1): (-8, 4), (0, 2): (-30, 15), (1, 0): (-0.02, 0.02), (1, 2): (-0.04, 0.04)}
    for row, names in enumerate(labels):
        for k, text in enumerate(names):
            panel = panels[row, k]
            panel.set_ylabel(text)
            panel.grid(alpha=0.3)
            panel.axvline(end, color="grey", lw=0.8)
            if row < 4:
                panel.set_xlim(0, 0.1)
            if (row, k) in limits:
                panel.set_ylim(*limits[row, k])
    for panel in panels[-2:].flat:
        panel.set_xlabel("time [s]")
    figure.legend(*panels[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=4)
    return figure


def line(name: str, file: str, record: Any) -> list[str]:
    """One line of the table."""
    series, end = record.series, released(record)
    last = int(np.argmax(record.time >= end)) - 1
    rod = "piston" if "devices.piston.rate" in series else "left"
    event = next(k for k, event in enumerate(record.events) if event.name == "apart")
    speed = float(record.before[f"devices.{rod}.rate"][event]) / FT
    gap = np.abs(series["joints.ball.displacement"][: last + 1, 1:]).max() / INCH
    turn = np.degrees(np.abs(series["joints.ball.rotation"][: last + 1][:, [0, 2]]).max(axis=0))
    moment = constraint(file, record)[1][: last + 1, 1]
    held = "none"
    if file != "free.toml":
        held = "{:.0f} to {:.0f}".format(*(np.round([np.nanmin(moment), np.nanmax(moment)]) + 0.0))
    q = np.degrees(record.before["bodies.rv.angular_velocity"][event, 1])
    alpha = np.degrees(np.interp(0.5, record.time, series["bodies.rv.alpha"]))
    small = lambda x: "0" if x < 1e-9 else f"{x:.2g}"  # noqa: E731
    numbers = [f"{end:.4f}", f"{speed:.2f}", small(gap), f"{small(turn[0])}, {small(turn[1])}"]
    return [name, *numbers, held, f"{q:.2f}", f"{alpha:.2f}"]


def main() -> None:
    """Fly all, draw and write."""
    sys.path.insert(0, str(HERE.parent / "studies"))
    from pages import written  # pyright: ignore[reportMissingImports]

    written(__file__, "judged", [JUDGED, *judged(truth_of_case())])
    records = {file: verify.fly(CASE / file) for file, _ in WAYS.values()}
    draw(records).savefig(HERE.parent / "images" / "hyper_x.png", dpi=80, metadata={"Software": None})
    written(__file__, "ways", [HEADS, *(line(n, file, records[file]) for n, (file, _) in WAYS.items())])


if __name__ == "__main__":
    main()

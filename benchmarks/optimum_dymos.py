"""The ascent of Delta III by dymos, with IPOPT by pyoptsparse: prints the mass [kg], and the processor time
of the first solution in a process, and the median of further ones [s].

Radau collocation with exact partial derivatives, of 4 points in each of 4 segments, 8 in the last phase. It
begins where ours does: with the flight at constant rates of yaw and pitch. Position, velocity and mass are
states, both angles controls; second derivatives are learned from gradients, as OpenMDAO has none."""

from __future__ import annotations

import json
import os
import statistics
import tempfile
import time
import tomllib
import warnings
from importlib import import_module
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from .optimum import AGAIN, FOLDER

G0, SEGMENTS, POINTS = 9.80665, (4, 4, 4, 8), 4
STAGES = (("first_solids", "core"), ("second_solids", "core"), ("core",), ("upper",))
DROPPED = ("first_cases", "second_cases", "core_structure", None)
ORBIT = 24361140.0, 0.7308, *np.radians([28.5, 269.8, 130.5])
"""Semi-major axis [m], eccentricity, inclination, node, argument of the perigee [rad]."""


class Rocket:
    """The numbers of the scenario."""

    def __init__(self) -> None:
        given = tomllib.loads((FOLDER / "scenario.toml").read_text(encoding="utf-8"))
        body, engines, parts = (
            given["bodies"]["rocket"],
            given["engines"],
            given["bodies"]["rocket"]["elements"],
        )
        self.mu, self.radius = given["planet"]["mu"], given["planet"]["radius"]
        self.spin = np.array([0, 0, given["planet"]["rotation_rate"]])
        self.density, self.height = given["atmosphere"]["density"], given["atmosphere"]["scale_height"]
        drag = given["aerodynamics"]["drag"]
        self.area = drag["area"] * drag["coefficients"]["CD"]
        self.place, self.speed = (np.array(body["initial"][name]) for name in ("position", "velocity"))
        ends = [float(phase["until"]["time"].split()[0]) for phase in given["phases"].values()]
        self.times = np.array([0.0, *ends])
        self.thrust = [sum(engines[name]["thrust"] for name in stage) for stage in STAGES]
        self.flow = [
            sum(engines[name]["thrust"] / engines[name]["isp"] for name in stage) / G0 for stage in STAGES
        ]
        masses = [part.get("propellant", part.get("mass")) for part in parts.values()]
        mass, self.masses = body["mass"] + sum(masses), []
        for k, case in enumerate(DROPPED):
            self.masses.append(mass)
            mass -= self.flow[k] * (self.times[k + 1] - self.times[k]) + (
                parts[case]["mass"] if case else 0.0
            )
        steering = given["guidance"]["steering"]
        self.angles = [tuple(map(_numbers, steering[name].values())) for name in ("yaw", "pitch")]

    def rate(self, t: float, state: np.ndarray, k: int) -> np.ndarray:
        """Rates of position, velocity and mass at the start values of both angles."""
        yaw, pitch = (np.radians(np.interp(t, *table)) for table in self.angles)
        r, v, m = state[:3], state[3:6], state[6]
        pull, _ = self.pull(r[None], v[None], np.array([m]), k)
        return np.concatenate([v, pull[0] + self.thrust[k] / m * direction(yaw, pitch)[0], [-self.flow[k]]])

    def pull(self, r: np.ndarray, v: np.ndarray, m: np.ndarray, k: int) -> Any:
        """Acceleration (node, 3) by gravity and air; and velocity and force relative to the atmosphere, and
        distance."""
        far = np.linalg.norm(r, axis=1)[:, None]
        wind = v - np.cross(self.spin, r)
        speed = np.linalg.norm(wind, axis=1)[:, None] + 1e-9
        drag = -0.5 * self.area * self.density * np.exp(-(far - self.radius) / self.height) / m[:, None]
        return -self.mu * r / far**3 + drag * speed * wind, (far, wind, speed, drag)

    def guess(self) -> list[Any]:
        """The flight at constant rates, phase by phase."""
        state, found = np.concatenate([self.place, self.speed]), []
        for k, (first, last) in enumerate(zip(self.times[:-1], self.times[1:], strict=True)):
            t = np.linspace(first, last, 40)
            begun = np.append(state, self.masses[k])
            found.append(solve_ivp(self.rate, (first, last), begun, args=(k,), t_eval=t, rtol=1e-8))
            state = found[-1].y[:6, -1]
        return found


def _numbers(text: str) -> np.ndarray:
    return np.array(json.loads(text.rpartition(" ")[0]))


def direction(yaw: Any, pitch: Any) -> np.ndarray:
    """Directions (node, 3) of the thrust."""
    yaw, pitch = np.atleast_1d(yaw), np.atleast_1d(pitch)
    return np.stack([np.cos(pitch) * np.cos(yaw), np.cos(pitch) * np.sin(yaw), -np.sin(pitch)], 1)


def cross_matrix(a: np.ndarray) -> np.ndarray:
    """Matrices (node, 3, 3) of the cross product with vectors (node, 3)."""
    x, y, z, none = *a.T, np.zeros(len(a))
    return np.array([[none, -z, y], [z, none, -x], [-y, x, none]]).transpose(2, 0, 1)


def equations(om: Any, rocket: Rocket) -> Any:
    """The class of the equations of motion, with angular momentum and eccentricity vector."""

    class Equations(om.ExplicitComponent):
        def initialize(self) -> None:
            self.options.declare("num_nodes", types=int)
            self.options.declare("stage", types=int)

        def setup(self) -> None:
            n = self.options["num_nodes"]
            for name, shape in {"r": (n, 3), "v": (n, 3), "m": n, "yaw": n, "pitch": n}.items():
                self.add_input(name, np.ones(shape))
            for name in ("rdot", "vdot", "h", "e"):
                self.add_output(name, np.ones((n, 3)))
            self.add_output("mdot", np.full(n, -rocket.flow[self.options["stage"]]))
            row = np.arange(3 * n)
            block = np.repeat(row, 3), np.repeat(np.arange(n), 9) * 3 + np.tile(np.arange(3), 3 * n)
            self.declare_partials("rdot", "v", rows=row, cols=row, val=1.0)
            for name in ("vdot", "h", "e"):
                self.declare_partials(name, ["r", "v"], rows=block[0], cols=block[1])
            self.declare_partials("vdot", ["m", "yaw", "pitch"], rows=row, cols=np.repeat(np.arange(n), 3))

        def compute(self, inputs: Any, outputs: Any) -> None:
            k, r, v, m = self.options["stage"], inputs["r"], inputs["v"], inputs["m"]
            push = rocket.thrust[k] * direction(inputs["yaw"], inputs["pitch"]) / m[:, None]
            outputs["rdot"], outputs["vdot"] = v, rocket.pull(r, v, m, k)[0] + push
            outputs["h"] = np.cross(r, v)
            far = np.linalg.norm(r, axis=1)[:, None]
            outputs["e"] = np.cross(v, outputs["h"]) / rocket.mu - r / far

        def compute_partials(self, inputs: Any, partials: Any) -> None:
            k, r, v, m = self.options["stage"], inputs["r"], inputs["v"], inputs["m"]
            pull, (far, wind, speed, drag) = rocket.pull(r, v, m, k)
            one, far, speed, drag = np.eye(3), far[:, None], speed[:, None], drag[:, None]
            outer = r[:, :, None] * r[:, None, :]
            by_wind = drag * (speed * one + wind[:, :, None] * wind[:, None, :] / speed)
            gravity = -rocket.mu * (one / far**3 - 3 * outer / far**5)
            thinner = -drag * speed / (rocket.height * far) * wind[:, :, None] * r[:, None, :]
            spin = cross_matrix(rocket.spin[None])
            partials["vdot", "r"] = (gravity - by_wind @ spin + thinner).ravel()
            partials["vdot", "v"] = by_wind.ravel()
            cy, sy = np.cos(inputs["yaw"]), np.sin(inputs["yaw"])
            cp, sp = np.cos(inputs["pitch"]), np.sin(inputs["pitch"])
            push = rocket.thrust[k] / m[:, None]
            of_air = pull + rocket.mu * r / far[:, 0] ** 3
            partials["vdot", "m"] = (
                -(push * direction(inputs["yaw"], inputs["pitch"]) + of_air) / m[:, None]
            ).ravel()
            partials["vdot", "yaw"] = (push * np.stack([-cp * sy, cp * cy, 0 * sp], 1)).ravel()
            partials["vdot", "pitch"] = (push * np.stack([-sp * cy, -sp * sy, -cp], 1)).ravel()
            by_r, by_v = -cross_matrix(v), cross_matrix(r)
            partials["h", "r"], partials["h", "v"] = by_r.ravel(), by_v.ravel()
            turned = cross_matrix(v) / rocket.mu
            partials["e", "r"] = (turned @ by_r - one / far + outer / far**3).ravel()
            partials["e", "v"] = (turned @ by_v - cross_matrix(np.cross(r, v)) / rocket.mu).ravel()

    return Equations


def orbit(mu: float) -> tuple[np.ndarray, np.ndarray]:
    """Angular momentum and eccentricity vector of the orbit that is asked for."""
    axis, e, i, node, w = ORBIT
    normal = np.array([np.sin(node) * np.sin(i), -np.cos(node) * np.sin(i), np.cos(i)])
    line = np.array([np.cos(node), np.sin(node), 0.0])
    perigee = np.cos(w) * line + np.sin(w) * np.cross(normal, line)
    return np.sqrt(mu * axis * (1 - e**2)) * normal, e * perigee


def problem(rocket: Rocket) -> tuple[Any, Any]:
    """The problem, ready to be solved, and what sets it back to its start values."""
    om, dm = import_module("openmdao.api"), import_module("dymos")
    whole = om.Problem(reports=False)
    whole.driver = om.pyOptSparseDriver(optimizer="IPOPT", print_results=False)
    options = {"print_level": 0, "sb": "yes", "tol": 1e-8, "max_iter": 1000, "mu_strategy": "adaptive"}
    whole.driver.opt_settings.update(options | {"hessian_approximation": "limited-memory"})
    whole.driver.declare_coloring(show_summary=False, show_sparsity=False)
    course, kind = whole.model.add_subsystem("course", dm.Trajectory()), equations(om, rocket)
    phases = []
    for k, count in enumerate(SEGMENTS):
        way = dm.Radau(num_segments=count, order=POINTS, compressed=True)
        phase = dm.Phase(ode_class=kind, ode_init_kwargs={"stage": k}, transcription=way)
        phases.append(course.add_phase(f"p{k}", phase))
        free = {"duration_bounds": (500, 700), "duration_ref": 700} if k == 3 else {"fix_duration": True}
        phase.set_time_options(fix_initial=True, units="s", **free)
        sizes = {"r": 1e6, "v": 1e3, "m": rocket.masses[k]}
        for name, size in sizes.items():
            fixed = k == 0 or name == "m"
            scaled = {"ref": size, "defect_ref": size, "units": None}
            targets = [name]
            phase.add_state(name, rate_source=f"{name}dot", targets=targets, fix_initial=fixed, **scaled)
        phase.add_control("yaw", targets=["yaw"], units=None, lower=-np.pi / 2, upper=np.radians(200))
        phase.add_control("pitch", targets=["pitch"], units=None, lower=np.radians(-89), upper=np.radians(89))
    turn, line = orbit(rocket.mu)
    phases[-1].add_boundary_constraint("h", loc="final", equals=turn, ref=float(np.linalg.norm(turn)))
    # The third component follows: the perigee lies in the plane.
    phases[-1].add_boundary_constraint("e", loc="final", indices=[0, 1], equals=line[:2])
    phases[-1].add_objective("m", loc="final", ref=-1e4)
    course.link_phases([f"p{k}" for k in range(4)], ["r", "v"])
    whole.setup()
    flights = rocket.guess()

    def begin() -> None:
        for phase, flown in zip(phases, flights, strict=True):
            phase.set_time_val(initial=flown.t[0], duration=flown.t[-1] - flown.t[0])
            for name, rows in (("r", flown.y[:3].T), ("v", flown.y[3:6].T), ("m", flown.y[6])):
                phase.set_state_val(name, rows, time_vals=flown.t)
            for name, table in zip(("yaw", "pitch"), rocket.angles, strict=True):
                values = np.radians(np.interp(flown.t, *table))
                phase.set_control_val(name, values, time_vals=flown.t)

    return whole, begin


def main() -> None:
    """Solve again and again."""
    warnings.simplefilter("ignore")
    os.chdir(tempfile.mkdtemp(prefix="dymos-"))  # where OpenMDAO writes
    took, mass = [], 0.0
    begun = time.process_time()
    whole, begin = problem(Rocket())
    for _ in range(1 + AGAIN):
        begin()
        if not whole.run_driver().success:
            raise RuntimeError("IPOPT found no optimum")
        mass = float(np.ravel(whole.get_val("course.p3.timeseries.m"))[-1])
        took.append(time.process_time() - begun)
        begun = time.process_time()
    print("\n" + json.dumps({"mass": mass, "first": took[0], "again": statistics.median(took[1:])}))


if __name__ == "__main__":
    main()

"""Beams in Interstage, as a user has them: a declared scenario, its compiled program."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import interstage as ist
from interstage.parts.beams.bound import fastest
from interstage.parts.beams.segments import OUT
from interstage.runs import run as simulate

from .beam_case import GRAVITY, Tube

REACH = 2.5
"""Step times the fastest angular frequency that RK4 is flown with: stable up to 2.8."""


def scenario(tube: Tube, elements: int, samples: int, mass_matrix: str = "lumped") -> ist.Scenario:
    """The beam on a wall, with steps as long as RK4 allows, a whole number between samples."""
    numbers = ("radius", "hole", "young", "shear_modulus", "density")
    section = ist.Tube(**{name: getattr(tube, name) for name in numbers})
    own: dict[str, Any] = {"elements": elements, "section": section, "mass_matrix": mass_matrix}
    beam = ist.Beam(name="rod", parent="wall", length=tube.length, **own)
    interval = tube.duration / samples
    step = interval / np.ceil(interval * fastest(beam) / REACH)
    return ist.Scenario(
        bodies=(ist.Body(name="wall", mass=1.0, inertia=(1.0, 1.0, 1.0)),),
        joints=(ist.Joint(name="bolts", kind="fixed", parent="ground", child="wall"),),
        forces=(beam,),
        gravity=ist.UniformGravity(acceleration=(0.0, 0.0, -GRAVITY)),
        phases=(ist.Phase(name="swing", until=ist.Trigger(time=tube.duration)),),
        solver=ist.Solver(method="rk4", step=float(step)),
        output=ist.Output(interval=interval),
    )


class Flight:
    """A compiled flight."""

    def __init__(self, tube: Tube, elements: int, samples: int, mass_matrix: str = "lumped"):
        declared: Any = scenario(tube, elements, samples, mass_matrix)
        self.tube, self.elements, self.samples = tube, elements, samples
        self.steps = round(tube.duration / float(declared.solver.step))
        # To the end from the centre of mass of the last segment.
        length = tube.length / elements
        self.reach = length * (0.5 - (OUT if mass_matrix == "consistent" else 0.0))
        self.prepared = simulate.prepare(declared)

    def fly(self) -> tuple[Any, Any, Any]:
        """Times and states of the samples, and the end."""
        return self.prepared.fly()

    def ends(self) -> NDArray[np.float64]:
        """The end of the beam (sample, 3) [m], of all samples but the first: half a segment on from the
        middle of the last one, along its x axis."""
        times, states, last = self.fly()
        states = np.concatenate([np.asarray(states), np.asarray(last.x)[None]])
        times = np.append(times, self.tube.duration)
        rows = [int(np.argmin(abs(times - t))) for t in self.tube.times]
        own = states[rows, -13 * self.elements :].reshape(len(rows), 13, self.elements)[:, :, -1]
        w, x, y, z = own[:, 6:10].T
        along = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], 1)
        return own[:, :3] + self.reach * along

"""How a scenario is solved, what is written, and what is required of it."""

from __future__ import annotations

from typing import Annotated, Any, Literal, cast

import numpy as np
from pydantic import model_validator

from ..tree.declaration import Declaration
from ..tree.errors import Refused, Written
from ..tree.names import Name
from ..tree.units import si
from .formulation import Elastic, Formulation, LagrangeMultiplier, Simultaneous, Staggered
from .motion import strictly_increasing
from .values import AnyQuantity, Value

TOLERANCES = (1e-14, 1e-2)
"""Smallest and largest relative tolerance that mean something in float64."""
SCALES = ("position_scale", "velocity_scale", "rate_scale")


class Solver(Declaration):
    """How the equations of motion are solved."""

    formulation: Formulation = LagrangeMultiplier()
    """How accelerations and joint loads are found: a kind, "null_space", or a table with its options."""
    stabilization: Literal["projection", "baumgarte", "none"] = "projection"
    """What keeps the joints together in spite of rounding and step errors: projection after each step,
    Baumgarte's feedback with `eta`, or nothing. Penalty and regularized joints stretch under their loads,
    and staggered and simultaneous have ways of their own: for them projection makes the start consistent
    only."""
    eta: Annotated[Any, si("1/s", nonnegative=True)] = 5.0
    """Baumgarte's gain [1/s]: gamma + 2 eta gdot + eta^2 g; used by stabilization = "baumgarte" only."""
    method: Literal["dop853", "dopri5", "rk4"] = "dop853"
    """Integrator: explicit pair of order 8 or 5 with step-size control, or the classical order 4 with a fixed
    step. Formulations that step by themselves (staggered, simultaneous) do not use it."""
    step: Annotated[Any, si("s", positive=True)] | None = None
    """Step of rk4 and of the formulations that step by themselves [s]; adaptive methods do not use it."""
    tolerance: Annotated[Any, si("1", positive=True)] = 1e-9
    """Relative error allowed in one step of an adaptive method, not in the flight: that grows with the steps
    and with what the motion makes of errors (docs/formulations.md states how to find it). Propellant
    [kg], integrals of control laws and positions of actuators are relative to their own size and 1 in SI
    units."""
    max_step: Annotated[Any, si("s", positive=True)] | None = None
    """Longest step of an adaptive method [s]. Default: no limit."""
    steps_per_second: Annotated[Any, si("1/s", positive=True)] = 1e6
    """Steps tried for each second of flight, over 20,000 in a row, at which a flight with step-size control
    ends early and states what holds its steps down [1/s]."""
    position_scale: Annotated[Any, si("m", positive=True)] | None = None
    """Size of the positions that the tolerance is relative to [m]. Default: 1 m."""
    velocity_scale: Annotated[Any, si("m/s", positive=True)] | None = None
    """Size of the velocities that the tolerance is relative to [m/s]. Default: 1 m/s."""
    rate_scale: Annotated[Any, si("rad/s", positive=True)] | None = None
    """Size of the angular velocities that the tolerance is relative to [rad/s]. Default: 1 rad/s."""
    sharing_length: Annotated[Any, si("m", positive=True)] = 1.0
    """Length that weighs torques against forces where attachments are redundant and share its loads by
    equal stiffness [m]: torsional stiffness is stiffness times its square."""
    time_limit: Annotated[Any, si("s", positive=True)] = 3600.0
    """Flight time at which the run gives up waiting for a trigger [s]."""
    assemble_tolerance: Annotated[Any, si("m", nonnegative=True)] = 1e-6
    """How far apart the points of a joint may be at the start before it is an error [m]."""
    assemble_angle: Annotated[Any, si("rad", nonnegative=True)] = 1e-6
    """How far the frames of a joint may be turned at the start before it is an error [rad]."""

    @property
    def own_steps(self) -> bool:
        """Whether the formulation is a way to step as well, so that `method` does not apply."""
        return isinstance(self.formulation, Staggered | Simultaneous)

    @property
    def elastic(self) -> bool:
        """Whether joints are springs, whose stretch under load nothing corrects."""
        return isinstance(self.formulation, Elastic)

    @property
    def settled_formulation(self) -> Formulation:
        """The formulation with what it takes from the other settings."""
        if not isinstance(self.formulation, Elastic):
            return self.formulation
        return self.formulation.settled(self.step if self.fixed_step else None)

    @property
    def fixed_step(self) -> bool:
        """Whether all steps but those that end on events have the length `step`."""
        return self.own_steps or self.method == "rk4"

    def unused(self) -> dict[str, str]:
        """Settings that have no effect beside the others, by path: what each is for."""
        choice, found = self.formulation, {}
        if self.own_steps:
            found["method"] = "for formulations without steps of their own"
        if self.fixed_step:
            found |= dict.fromkeys(("tolerance", "max_step"), "for adaptive methods")
            if not isinstance(choice, Simultaneous):
                found |= dict.fromkeys(SCALES, "for adaptive methods and simultaneous")
        else:
            found["step"] = "for rk4 and for formulations with steps of their own"
        fed_back = isinstance(choice, Simultaneous) and choice.treatment == "baumgarte"
        if self.stabilization != "baumgarte" and not fed_back:
            found["eta"] = 'for stabilization = "baumgarte" and for simultaneous with that treatment'
        if fed_back:
            found["formulation.regularization"] = "for the staggered treatment"
        return found

    @property
    def given_in_vain(self) -> dict[str, str]:
        """Those of `unused` that are given other values than those they have by themselves, which a scenario
        that was written by Interstage says too."""

        def value(solver: Solver, path: str) -> Any:
            return getattr(solver.formulation if "." in path else solver, path.rpartition(".")[2])

        plain = Solver(formulation=type(self.formulation)(), step=1.0)  # some formulations need a step
        return {
            path: purpose
            for path, purpose in self.unused().items()
            if not np.array_equal(
                value(self, path), cast(Any, None if path == "step" else value(plain, path))
            )
        }

    @model_validator(mode="after")
    def _check(self) -> Solver:
        if self.step is None and (self.method == "rk4" or self.own_steps):
            what = f'formulation = "{self.formulation.kind}"' if self.own_steps else 'method = "rk4"'
            raise Refused(("step", f'is required with {what}, for example step = "1 ms"'))
        if self.elastic and self.stabilization == "baumgarte":
            kind = self.formulation.kind
            text = f"baumgarte feeds back into constraints, and {kind} joints are springs; remove it"
            raise Refused(("stabilization", text))
        if self.own_steps and self.stabilization == "baumgarte":
            kind = self.formulation.kind
            text = f"baumgarte is for formulations that step by method, and {kind} has steps of its own"
            remedy = "with simultaneous, its treatment feeds back instead"
            raise Refused(("stabilization", f"{text}; remove it ({remedy})"))
        low, high = TOLERANCES
        if (
            isinstance(self.tolerance, np.ndarray)
            and ((self.tolerance < low) | (self.tolerance > high)).any()
        ):
            raise Refused(
                (
                    "tolerance",
                    f"{float(self.tolerance.flat[0]):g} is out of range; allowed: {low:g} to {high:g}",
                )
            )
        return self


class Output(Declaration):
    """When the flight is sampled; the samples do not depend on the steps."""

    interval: Annotated[Any, si("s", positive=True)] | None = None
    """Time between samples [s]; 0.1 s unless `times` are given."""
    times: Annotated[Any, si("s", ("n",), nonnegative=True)] | None = None
    """The flight times to sample [s], increasing, in place of an interval."""

    @model_validator(mode="after")
    def _check(self) -> Output:
        if self.interval is not None and self.times is not None:
            raise Refused(("times", "are given together with interval; give one of them"))
        if self.interval is None and self.times is None:
            self._settle(interval=si("s")(0.1))
        if isinstance(self.times, np.ndarray):
            strictly_increasing(self.times, "times")
        return self


class Requirement(Declaration):
    """Limits on a quantity, at an event, during a phase, or over the whole flight."""

    name: Name
    """Name of the requirement in the table of margins."""
    quantity: str
    """The quantity, named as in the results: "joints.clamp.force.magnitude"."""
    min: AnyQuantity | None = None
    """Least value allowed, with its unit, or as a bare number in SI."""
    max: AnyQuantity | None = None
    """Greatest value allowed, with its unit, or as a bare number in SI."""
    at: str | None = None
    """Event (or phase start) at which it must hold; "start" and "end" are the flight's. Default: always."""
    during: str | None = None
    """Phase through which it must hold."""
    side: Literal["before", "after"] = "after"
    """Just before or just after the event of `at`."""

    @model_validator(mode="after")
    def _check(self) -> Requirement:
        if self.min is None and self.max is None:
            raise Refused(("", "has no limit; give min, max or both"))
        if self.at is not None and self.during is not None:
            raise Refused(
                ("during", "is given together with at; give one of them, or neither for the whole flight")
            )
        if self.min is not None and self.max is not None and _more(self.min, self.max):
            raise Refused(("min", Written("{min} is more than max, {max}; exchange them")))
        return self


def _more(a: Value, b: Value) -> bool:
    concrete = isinstance(a.magnitude, np.ndarray) and isinstance(b.magnitude, np.ndarray)
    return concrete and a.unit == b.unit and bool((a.magnitude > b.magnitude).any())

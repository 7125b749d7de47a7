"""Declarations of settings for solver, output and requirements."""

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
"""Minimum and maximum relative tolerance that is meaningful in double precision."""
SCALES = ("position_scale", "velocity_scale", "rate_scale")


class Solver(Declaration):
    """Settings of the numerical solution of the equations of motion."""

    formulation: Formulation = LagrangeMultiplier()
    """Formulation for accelerations and joint loads: a kind, like "null_space", or a table with its
    options."""
    stabilization: Literal["projection", "baumgarte", "none"] = "projection"
    """Correction of constraint drift from rounding and step errors. "projection": after each step.
    "baumgarte": feedback with `eta`. "none". With the formulations "penalty", "regularized", "staggered" and
    "simultaneous", "projection" corrects only the initial state."""
    eta: Annotated[Any, si("1/s", nonnegative=True)] = 5.0
    """Baumgarte gain eta [1/s] in gamma + 2 eta gdot + eta^2 g. Only stabilization = "baumgarte" uses it."""
    method: Literal["dop853", "dopri5", "rk4"] = "dop853"
    """Integrator. "dop853", "dopri5": explicit Runge-Kutta pairs of order 8 and 5 with step-size control.
    "rk4": the classical method of order 4 with a fixed step. Formulations with their own steps (staggered,
    simultaneous) do not use this method."""
    step: Annotated[Any, si("s", positive=True)] | None = None
    """Step of rk4 and of formulations with their own steps [s]. Adaptive methods do not use it."""
    tolerance: Annotated[Any, si("1", positive=True)] = 1e-9
    """Relative error allowed in one step of an adaptive method. The error of the flight grows with the number
    of steps and with the sensitivity of the motion (docs/formulations.md shows how to estimate it). For
    propellant masses, integrals of control laws and actuator positions, the scale is the magnitude of the
    state plus 1 in SI units."""
    max_step: Annotated[Any, si("s", positive=True)] | None = None
    """Longest step of an adaptive method [s]. Default: no limit."""
    steps_per_second: Annotated[Any, si("1/s", positive=True)] = 1e6
    """Limit on attempted steps per second of flight [1/s], over 20,000 successive steps. At this limit an
    adaptive run ends early and reports the cause of its small steps."""
    position_scale: Annotated[Any, si("m", positive=True)] | None = None
    """Reference size of positions for the tolerance [m]. Default: 1 m."""
    velocity_scale: Annotated[Any, si("m/s", positive=True)] | None = None
    """Reference size of velocities for the tolerance [m/s]. Default: 1 m/s."""
    rate_scale: Annotated[Any, si("rad/s", positive=True)] | None = None
    """Reference size of angular velocities for the tolerance [rad/s]. Default: 1 rad/s."""
    sharing_length: Annotated[Any, si("m", positive=True)] = 1.0
    """Length for the default torsional stiffness of redundant attachments [m]. This stiffness is the
    attachment's stiffness times the square of the length."""
    time_limit: Annotated[Any, si("s", positive=True)] = 3600.0
    """Flight time [s] at which the run ends if a trigger has not occurred."""
    assemble_tolerance: Annotated[Any, si("m", nonnegative=True)] = 1e-6
    """Largest allowed distance between the two points of a joint at the start [m]. A larger distance is an
    error."""
    assemble_angle: Annotated[Any, si("rad", nonnegative=True)] = 1e-6
    """Largest allowed angle between the two frames of a joint at the start [rad]. A larger angle is an
    error."""

    @property
    def own_steps(self) -> bool:
        """True if the formulation has its own integration method, so that `method` has no effect."""
        return isinstance(self.formulation, Staggered | Simultaneous)

    @property
    def elastic(self) -> bool:
        """True if joints are springs, which deflect under load without correction."""
        return isinstance(self.formulation, Elastic)

    @property
    def settled_formulation(self) -> Formulation:
        """The formulation, with defaults that depend on other settings replaced by numbers."""
        if not isinstance(self.formulation, Elastic):
            return self.formulation
        return self.formulation.with_frequency(self.step if self.fixed_step else None)

    @property
    def fixed_step(self) -> bool:
        """True if all steps have the length `step`, except steps that end at events."""
        return self.own_steps or self.method == "rk4"

    def unused_settings(self) -> dict[str, str]:
        """Return the settings that have no effect. The result gives, by the path of each setting, where the
        setting has an effect.
        """
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
        """Settings that have no effect although their value differs from the default. The form is as in
        `unused_settings`.

        Settings with default values are not included, because a scenario file written by Interstage lists
        them too.
        """

        def value(solver: Solver, path: str) -> Any:
            return getattr(solver.formulation if "." in path else solver, path.rpartition(".")[2])

        plain = Solver(formulation=type(self.formulation)(), step=1.0)  # some formulations need a step
        return {
            path: purpose
            for path, purpose in self.unused_settings().items()
            if not np.array_equal(
                value(self, path), cast(Any, None if path == "step" else value(plain, path))
            )
        }

    @model_validator(mode="after")
    def _check(self) -> Solver:
        if self.step is None and (self.method == "rk4" or self.own_steps):
            what = f'formulation = "{self.formulation.kind}"' if self.own_steps else 'method = "rk4"'
            raise Refused(("step", f"'step' is required with {what}, for example step = \"1 ms\""))
        if self.elastic and self.stabilization == "baumgarte":
            kind = self.formulation.kind
            text = f'"baumgarte" applies to constraints, but {kind} models joints as springs'
            raise Refused(("stabilization", f"{text}. Remove stabilization"))
        if self.own_steps and self.stabilization == "baumgarte":
            kind = self.formulation.kind
            text = f'"baumgarte" needs a formulation without its own steps, but {kind} has its own steps'
            remedy = 'For "simultaneous", set treatment = "baumgarte" instead'
            raise Refused(("stabilization", f"{text}. Remove stabilization. {remedy}"))
        low, high = TOLERANCES
        if (
            isinstance(self.tolerance, np.ndarray)
            and ((self.tolerance < low) | (self.tolerance > high)).any()
        ):
            raise Refused(
                (
                    "tolerance",
                    (
                        f"tolerance = {float(self.tolerance.flat[0]):g} is out of range. Give "
                        f"{low:g} to {high:g}"
                    ),
                )
            )
        return self


class Output(Declaration):
    """Sample times of the results, independent of the steps."""

    interval: Annotated[Any, si("s", positive=True)] | None = None
    """Time between samples [s]. Default: 0.1 s if `times` is not set."""
    times: Annotated[Any, si("s", ("n",), nonnegative=True)] | None = None
    """Flight times of the samples [s], increasing, in place of `interval`."""

    @model_validator(mode="after")
    def _check(self) -> Output:
        if self.interval is not None and self.times is not None:
            raise Refused(("times", "'times' and 'interval' are both set. Remove one of these keys"))
        if self.interval is None and self.times is None:
            self._settle(interval=si("s")(0.1))
        if isinstance(self.times, np.ndarray):
            strictly_increasing(self.times, "times")
        return self


class Requirement(Declaration):
    """Limits on a quantity: at an event, during a phase, or over the whole flight."""

    name: Name
    """Name of the requirement in the table of margins."""
    quantity: str
    """Limited quantity by its name in the results, for example "joints.clamp.force.magnitude"."""
    min: AnyQuantity | None = None
    """Smallest allowed value with its unit, or as a number in SI units."""
    max: AnyQuantity | None = None
    """Largest allowed value with its unit, or as a number in SI units."""
    at: str | None = None
    """Event or phase start at which the limits apply. "start" and "end" are the start and the end of the
    flight. Default: the limits apply at all times."""
    during: str | None = None
    """Phase in which the limits apply."""
    side: Literal["before", "after"] = "after"
    """Side of the event `at` on which the limits apply: just before or just after the event."""

    @model_validator(mode="after")
    def _check(self) -> Requirement:
        if self.min is None and self.max is None:
            raise Refused(("", "the requirement has no limit. Set 'min' or 'max', or both keys"))
        if self.at is not None and self.during is not None:
            raise Refused(
                (
                    "during",
                    "'during' and 'at' are both set. Remove one of these keys, or remove both keys to "
                    "check the whole flight",
                )
            )
        if self.min is not None and self.max is not None and _more(self.min, self.max):
            raise Refused(("min", Written("{min} is above max, {max}. Exchange the two values")))
        return self


def _more(a: Value, b: Value) -> bool:
    concrete = isinstance(a.magnitude, np.ndarray) and isinstance(b.magnitude, np.ndarray)
    return concrete and a.unit == b.unit and bool((a.magnitude > b.magnitude).any())

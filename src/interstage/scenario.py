"""The scenario: the complete description of a flight as one tree."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from .environment.atmosphere import Atmosphere, NoAtmosphere
from .environment.gravity import Gravity, NoGravity
from .environment.wind import NoWind, Wind
from .environment.world import World
from .model.body import Body
from .model.expansion import written_out
from .model.ground import EndAtGround, GroundImpact
from .model.joint import Joint
from .model.leg import Leg
from .model.pair import Pair
from .model.pattern import Repeatable, kinds_in
from .model.sequence import Event, Phase
from .model.settings import Output, Requirement, Solver
from .model.site import Site
from .model.source import Source
from .model.trim import Trim
from .tree import packages
from .tree.declaration import ByName, Declaration, declarations_in
from .tree.errors import BadInput
from .tree.names import Text

if TYPE_CHECKING:
    from .record.results import Flight
    from .runs.batch import Batch
    from .runs.prepared import Prepared
    from .sensitivities.derivatives import Derivatives
    from .studies.campaign import Campaign, CampaignResult
    from .studies.comparison import Comparison
    from .studies.linearize import Linear, Periodic, Series
    from .studies.optimization import OptimizationStudy, Optimum, Solved
    from .studies.sweep import Sweep
    from .studies.symbols import Symbols
    from .studies.trim import Trimmed

    AnyForce = AnyAerodynamics = AnyEngine = AnyControl = AnyActuator = AnySensor = Any
    AnyGuidance = AnyHeating = AnyInterface = AnyDevice = AnyContact = AnyClearance = Any
else:
    AnyForce, AnyAerodynamics, AnyEngine, AnyControl, AnyActuator, AnySensor = map(
        packages.union, ("forces", "aerodynamics", "engines", "controls", "actuators", "sensors")
    )
    AnyGuidance, AnyHeating, AnyInterface, AnyDevice, AnyContact, AnyClearance = map(
        packages.union, ("guidance", "heating", "interfaces", "devices", "contacts", "clearance")
    )


for _package, _why in packages.catalogue().left_out.items():
    logging.getLogger("interstage").warning("The models of %s are not available: %s.", _package, _why)


class Scenario(Declaration):
    """A flight: its bodies, joints, loads, environment and sequence of phases and events."""

    title: Text = ""
    """Description of the flight in one line."""
    units: Literal["SI", "US"] = "SI"
    """Units of tables, plots and reports: "SI", or "US" (slug, ft and lbf). This key does not affect the
    input: numbers without a unit in a scenario are always SI."""
    needs: tuple[Annotated[str, AfterValidator(packages.check_installed)], ...] = ()
    """Names of the plug-in packages that the scenario needs, as in "pip install", for example
    "interstage-magnetic-latch". A missing package is an error. Saved scenarios list their packages
    automatically."""
    gravity: Gravity = NoGravity()
    """The gravity field."""
    planet: World | None = None
    """Planet: the Earth, a user-defined planet, or flat ground. Default: no planet (empty space)."""
    atmosphere: Atmosphere = NoAtmosphere()
    """Atmosphere of the planet."""
    wind: Wind = NoWind()
    """Wind in the atmosphere."""
    ground: GroundImpact = EndAtGround()
    """Effect of an impact of a body's centre of mass on the ground. "end": the flight or the leg ends.
    "record": the impact is recorded and the flight continues. "ignore": impacts are not detected."""
    sites: Annotated[tuple[Site, ...], ByName()] = ()
    """Sites on the ground, for distances over the ground, and for glide and entry guidance."""
    bodies: Annotated[tuple[Body, ...], ByName()] = ()
    """Rigid bodies of the flight."""
    joints: Annotated[tuple[Joint, ...], ByName()] = ()
    """Joints between bodies."""
    forces: Annotated[tuple[AnyForce, ...], ByName()] = ()
    """Forces, torques, springs, bushings, beams, stops and modes of flexible bodies."""
    aerodynamics: Annotated[tuple[AnyAerodynamics, ...], ByName()] = ()
    """Aerodynamic forces and moments."""
    engines: Annotated[tuple[AnyEngine, ...], ByName()] = ()
    """Rocket engines and motors."""
    guidance: Annotated[tuple[AnyGuidance, ...], ByName()] = ()
    """Guidance laws, which give the commanded attitude of a body."""
    controls: Annotated[tuple[AnyControl, ...], ByName()] = ()
    """Control laws, which compute commands from measured quantities."""
    actuators: Annotated[tuple[AnyActuator, ...], ByName()] = ()
    """Actuators that follow commands: gimbals, fins, throttles."""
    sensors: Annotated[tuple[AnySensor, ...], ByName()] = ()
    """Sensors: points of bodies whose accelerations and angular rates are output."""
    pairs: Annotated[tuple[Pair, ...], ByName()] = ()
    """Pairs of points on two bodies, whose distance, relative motion and relative attitude are output."""
    interfaces: Annotated[tuple[AnyInterface, ...], ByName()] = ()
    """Stations at which joint loads are output as axial force, shear, bending and torsion, with
    allowables."""
    devices: Annotated[tuple[AnyDevice, ...], ByName()] = ()
    """Separation devices."""
    contacts: Annotated[tuple[AnyContact, ...], ByName()] = ()
    """Contact forces between bodies."""
    phases: Annotated[tuple[Phase, ...], ByName()] = ()
    """Phases of the flight, in order. Each phase ends by its own trigger."""
    events: Annotated[tuple[Event, ...], ByName()] = ()
    """Events that occur in parallel with the phases."""
    legs: Annotated[tuple[Leg, ...], ByName()] = ()
    """Legs of a mission, each with its own bodies, phases and events. Default: a single flight of all
    bodies."""
    coordinates: Literal["rigid", "point", "held"] = "rigid"
    """Motion of the bodies in a flight without legs. "rigid": rigid bodies with attitudes. "point": one point
    mass with an attitude from guidance. "held": all bodies fixed to the planet. In a mission each leg has
    this key."""
    attitude: str | None = None
    """Name of the guidance law that gives the attitude in point-mass flight."""
    balance: Trim | None = Field(None, alias="trim")
    """Signals that balance the moments about the centre of mass in point-mass flight. In Python the field is
    `balance`, because `trim` is the method that finds an operating point. Default: the moments are not
    balanced."""
    ends_at: tuple[str, ...] = ()
    """Phases, events or events of devices ("bolt released") that end the flight before its last phase ends.
    The first of these events that occurs takes effect."""
    heating: Annotated[tuple[AnyHeating, ...], ByName()] = ()
    """Noses with aerodynamic heating."""
    clearance: Annotated[tuple[AnyClearance, ...], ByName()] = ()
    """Pairs of bodies whose clearance is computed and whose recontact is detected."""
    solver: Solver = Solver()
    """Settings of the numerical solution of the equations of motion."""
    output: Output = Output()
    """Sample times of the results."""
    requirements: Annotated[tuple[Requirement, ...], ByName()] = ()
    """Requirements: limits of quantities that the results must meet."""
    sources: Annotated[tuple[Source, ...], ByName("path")] = ()
    """Sources of values. The name of each table is the path of a value, in quotes."""

    def __init__(self, /, **data: Any) -> None:
        super().__init__(**written_out(data, repeatable()))

    # As in `Declaration`: tables are validated in one pass, which calls no __init__.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

    @model_validator(mode="after")
    def _naming_packages(self) -> Scenario:
        named = {packages.normal(name) for name in self.needs}
        more = {package.distribution: None for package in packages.packages_of(self)}
        self._settle(needs=(*self.needs, *(name for name in more if packages.normal(name) not in named)))
        return self

    def check(self) -> None:
        """Check the whole scenario without a simulation. Raises BadInput with all faults."""
        from .checks.check import problems

        found = problems(self)
        if found:
            raise BadInput(found)

    def run(self, progress: Any = None) -> Flight:
        """Check the scenario, simulate it, and return the flight.

        progress: function of the flight time [s] and of the expected end time [s] or None. True prints the
        progress to the standard error; False reports no progress. Default: as True in an interactive session,
        otherwise reports to the logger "interstage".

        Raises BadInput with all faults of the scenario.
        """
        from .record.results import Flight
        from .runs.run import fly

        self.check()
        return Flight(fly(self, progress))

    def prepare(self) -> Prepared:
        """Check the scenario, and prepare it for repeated runs with other values.

        Example: ``prepared = scenario.prepare()``, then ``prepared.run({"bodies.payload.mass": "900 kg"})``.
        See `runs.prepared`.
        """
        from .runs.prepared import Prepared

        self.check()
        return Prepared(self)

    def run_batch(
        self,
        dispersed: Mapping[str, Any],
        threads: int = 2,
        samples: bool = True,
        progress: Any = None,
        together: bool | None = None,
    ) -> Batch:
        """Simulate one case for each row of the dispersed inputs, and return the batch.

        - dispersed: values (cases, ...) in SI units, by path of the input.
        - threads: number of parallel threads. Default: 2.
        - samples: if true, the samples of all cases are stored. If false, only final states and events
          are stored. Default: True.
        - progress: function of the number of finished cases and of the total number; True, False or None
          as in `run`.
        - together: if true, one compiled program simulates many cases together. If false, the cases are
          simulated one after another. Default: chosen from the number of integration steps.

        See `runs.batch.fly_batch`. Raises BadInput with all faults of the inputs.
        """
        from .runs.batch import fly_batch

        self.check()
        return fly_batch(self, dict(dispersed), threads, samples, progress=progress, together=together)

    def derivatives(
        self,
        of: Sequence[str],
        wrt: Sequence[str],
        at: str = "end",
        side: Literal["before", "after"] = "before",
    ) -> Derivatives:
        """Return the exact derivatives of quantities at an event with respect to inputs.

        The derivatives include the effect of all earlier events.

        - of: paths of quantities.
        - wrt: paths of inputs.
        - at: name of a phase or event, "start" or "end". Default: "end".
        - side: "before" or "after": just before or just after the event. Default: "before".

        See `sensitivities.derivatives.derivatives`.
        """
        from .sensitivities.derivatives import derivatives

        self.check()
        return derivatives(self, of, wrt, at, side)

    def compare(self, formulations: str | Sequence[str] = "all", **how: Any) -> Comparison:
        """Run the scenario with several formulations, and compare the results with a reference.

        formulations: names of formulations. Default: "all". See `studies.comparison.compare` for other
        arguments.
        """
        from .studies.comparison import compare

        self.check()
        return compare(self, formulations, **how)

    def sweep(
        self,
        vary: Any,
        design: Literal["grid", "corners", "one_at_a_time"] | None = None,
        responses: Any = (),
        **how: Any,
    ) -> Sweep:
        """Run a sweep, which varies some inputs in one batch, and return its results.

        - vary: levels of each input by its path. Example: ``scenario.sweep({"bodies.payload.mass": "900
          kg:1100 kg:5"})``.
        - design: "grid", "corners" or "one_at_a_time".
        - responses: quantities to record in each case.

        See `studies.sweep.sweep` for all arguments.
        """
        from .studies.sweep import sweep

        self.check()
        return sweep(self, vary, design, responses, **how)

    def campaign(self, study: Campaign | Mapping[str, Any], folder: Any = None, **how: Any) -> CampaignResult:
        """Run random cases (Monte Carlo), and return the results of the campaign.

        - study: a `Campaign`, or its keys and values.
        - folder: folder of the results. Cases whose results are already in the folder are not simulated
          again.

        Example: ``scenario.campaign({"cases": 1000, "dispersions": ...}, "results")``. See
        `studies.campaign.campaign`.
        """
        from .studies.campaign import campaign

        self.check()
        return campaign(self, study, folder, **how)

    def solve(
        self, find: str | Sequence[str] | Mapping[str, Any], so_that: str | Sequence[str], **how: Any
    ) -> Solved:
        """Find values of inputs for which quantities have the required values, and return the solution.

        - find: paths of the inputs.
        - so_that: required values of quantities.

        Example: ``scenario.solve("devices.spring.stiffness", "pairs.stage.satellite.separation_speed@end =
        0.8 m/s")``. See `studies.optimization.find`.
        """
        from .studies.optimization import find as found

        self.check()
        return found(self, find, so_that, **how)

    def optimize(self, study: OptimizationStudy | Mapping[str, Any], **how: Any) -> Optimum:
        """Optimize inputs of the scenario, and return the optimum.

        study: an `OptimizationStudy`, or its keys and values: ``scenario.optimize({"variables": ...,
        "constraints": ..., "objective": ...})``. See `studies.optimization.optimize`."""
        from .studies.optimization import optimize

        self.check()
        return optimize(self, study, **how)

    def trim(self, find: Any = (), so_that: Any = None, **how: Any) -> Trimmed:
        """Find values of inputs for which the accelerations at the start are zero, or for which other
        conditions hold.

        - find: paths of the inputs.
        - so_that: conditions. Default: zero accelerations.

        Example: ``scenario.trim(["bodies.plane.initial.incidence.alpha", "engines.main.thrust"]).scenario``.
        See `studies.trim.trim`.
        """
        from .studies.trim import trim

        self.check()
        return trim(self, find, so_that, **how)

    def linearize(
        self, at: Any = "start", inputs: Any = (), outputs: Any = None, **how: Any
    ) -> Linear | Series | Periodic:
        """Linearize the equations of motion at one or more events, and return the linear model.

        - at: name of an event, or names of events. Default: "start".
        - inputs, outputs: names of the inputs and outputs of the linear model.

        Example: ``scenario.linearize("before apart", inputs="bodies.stage.torque").modes``. See
        `studies.linearize.linearize`.
        """
        from .studies.linearize import linearize

        self.check()
        return linearize(self, at, inputs, outputs, **how)

    def symbols(self) -> Symbols:
        """Return the simplified symbolic equations of motion in SymPy. The symbolic equations are first
        compared with the simulation.

        Example: ``scenario.symbols().M22``. See `studies.symbols.symbols`.
        """
        from .studies.symbols import symbols

        self.check()
        return symbols(self)

    def to_toml(self) -> str:
        """Return the scenario as TOML text, with all values in SI units.

        A scenario that is read from this text has exactly the same values.
        """
        from .tree.bare_angles import IN_SI
        from .tree.toml_file import dumps

        return f"{IN_SI}\n{dumps(self)}"


GROUPS = (
    *("bodies", "joints", "forces", "aerodynamics", "engines", "guidance", "controls", "actuators"),
    *("devices", "sites", "sensors", "pairs", "interfaces", "phases", "events", "requirements"),
    *("clearance", "contacts", "heating", "legs"),
)
"""Names of the groups of a scenario that contain named declarations."""


@cache
def repeatable() -> dict[str, dict[str, type[Repeatable]]]:
    """Return the classes of declarations that support patterns, by group and kind."""
    found = {group: kinds_in(declarations_in(Scenario.model_fields[group].annotation)) for group in GROUPS}
    return {group: kinds for group, kinds in found.items() if kinds}

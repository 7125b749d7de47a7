"""The scenario: one tree that says everything about a flight."""

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
from .model.ground import EndAtGround, GroundImpact
from .model.joint import Joint
from .model.leg import Leg
from .model.pair import Pair
from .model.pattern import Repeatable, kinds_in, written_out
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
    from .flight.batch import Batch
    from .flight.derivatives import Derivatives
    from .flight.prepared import Prepared
    from .record.results import Flight
    from .studies.comparison import Comparison
    from .studies.linear import Linear, Periodic, Series
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
    logging.getLogger("interstage").warning("The parts of %s are left out: %s.", _package, _why)


class Scenario(Declaration):
    """Bodies, what joins and moves them, the world they are in, and what happens when."""

    title: Text = ""
    """What the flight is, in one line."""
    units: Literal["SI", "US"] = "SI"
    """Units of tables, plots and reports: SI, or slug, ft and lbf. Bare numbers in a scenario are always
    SI."""
    needs: tuple[Annotated[str, AfterValidator(packages.installed)], ...] = ()
    """Packages whose parts it has, as pip names them, like "interstage-magnetic-latch": those that are not
    installed are reported with the scenario. Saved scenarios name theirs by themselves."""
    gravity: Gravity = NoGravity()
    """The gravity field."""
    planet: World | None = None
    """What the bodies fly over: the Earth, a planet of one's own, or flat ground. Default: empty space."""
    atmosphere: Atmosphere = NoAtmosphere()
    """The atmosphere over the planet."""
    wind: Wind = NoWind()
    """The wind in that air."""
    ground: GroundImpact = EndAtGround()
    """What happens when the centre of mass of a body falls to the ground of the planet: the flight or the leg
    ends, the impact is recorded and the flight continues, or impacts are ignored."""
    sites: Annotated[tuple[Site, ...], ByName()] = ()
    """Places on the ground to which distances are to be known."""
    bodies: Annotated[tuple[Body, ...], ByName()] = ()
    """The rigid bodies."""
    joints: Annotated[tuple[Joint, ...], ByName()] = ()
    """What holds bodies together."""
    forces: Annotated[tuple[AnyForce, ...], ByName()] = ()
    """Forces, torques and springs."""
    aerodynamics: Annotated[tuple[AnyAerodynamics, ...], ByName()] = ()
    """Forces and moments of the atmosphere."""
    engines: Annotated[tuple[AnyEngine, ...], ByName()] = ()
    """Rocket engines and motors."""
    guidance: Annotated[tuple[AnyGuidance, ...], ByName()] = ()
    """Laws that state which attitude a body should have."""
    controls: Annotated[tuple[AnyControl, ...], ByName()] = ()
    """Control laws."""
    actuators: Annotated[tuple[AnyActuator, ...], ByName()] = ()
    """What follows their commands: gimbals, fins, throttles."""
    sensors: Annotated[tuple[AnySensor, ...], ByName()] = ()
    """Stations at which accelerations and rates are to be known."""
    pairs: Annotated[tuple[Pair, ...], ByName()] = ()
    """Points of two bodies whose distance, motion and turn against each other are to be known."""
    interfaces: Annotated[tuple[AnyInterface, ...], ByName()] = ()
    """Loads of joints as axial force, shear, bending and torsion at a station, with allowables."""
    devices: Annotated[tuple[AnyDevice, ...], ByName()] = ()
    """Separation devices."""
    contacts: Annotated[tuple[AnyContact, ...], ByName()] = ()
    """Contact forces between bodies."""
    phases: Annotated[tuple[Phase, ...], ByName()] = ()
    """The stretches of the flight, in order."""
    events: Annotated[tuple[Event, ...], ByName()] = ()
    """What happens in parallel with the phases."""
    legs: Annotated[tuple[Leg, ...], ByName()] = ()
    """The legs of a mission, each with bodies, phases and events of its own. Default: one flight of all
    bodies."""
    coordinates: Literal["rigid", "point", "held"] = "rigid"
    """How the bodies of one flight move: rigid, each with its attitude; as one point, with an attitude from
    guidance; or held on the planet. Legs have their own."""
    attitude: str | None = None
    """Name of the guidance that gives the attitude of a point."""
    balance: Trim | None = Field(None, alias="trim")
    """What balances the moments about the centre of mass of a point. If not set, nothing does. In Python
    `balance`, since `trim` finds an operating point."""
    ends_at: tuple[str, ...] = ()
    """Phase starts, events, or what devices do ("bolt released"), with the first of which the flight is over,
    though its phases are not."""
    heating: Annotated[tuple[AnyHeating, ...], ByName()] = ()
    """Noses that the atmosphere heats."""
    clearance: Annotated[tuple[AnyClearance, ...], ByName()] = ()
    """Bodies whose distance is to be known, and whether they meet again."""
    solver: Solver = Solver()
    """How the equations are solved."""
    output: Output = Output()
    """When the flight is sampled."""
    requirements: Annotated[tuple[Requirement, ...], ByName()] = ()
    """Limits that the flight must keep."""
    sources: Annotated[tuple[Source, ...], ByName("path")] = ()
    """Where numbers come from, by their paths in quotes."""

    def __init__(self, /, **data: Any) -> None:
        super().__init__(**written_out(data, repeatable()))

    # As in `Declaration`: tables are validated in one pass, which calls no __init__.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

    @model_validator(mode="after")
    def _naming_packages(self) -> Scenario:
        named = {packages.normal(name) for name in self.needs}
        more = {package.distribution: None for package in packages.used(self)}
        self._settle(needs=(*self.needs, *(name for name in more if packages.normal(name) not in named)))
        return self

    def check(self) -> None:
        """Raise `BadInput` with everything that is wrong with the scenario as a whole; nothing is imported or
        flown."""
        from .checks.check import problems

        found = problems(self)
        if found:
            raise BadInput(found)

    def run(self, progress: Any = None) -> Flight:
        """Check the scenario, fly it, and return the flight.

        progress: what is called with the flight time and the expected end or None; True tells it on the
        standard error, False nothing, and none does so where somebody sits at a terminal and else tells the
        logger "interstage"."""
        from .flight.simulate import fly
        from .record.results import Flight

        self.check()
        return Flight(fly(self, progress))

    def prepare(self) -> Prepared:
        """Check it, and make it ready to be flown again and again with other numbers: ``again =
        scenario.prepare()``, then ``again.run({"bodies.payload.mass": "900 kg"})``; see `flight.prepared`."""
        from .flight.prepared import Prepared

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
        """Fly one case for each row of the dispersed inputs, path -> values (cases, ...) in SI; see
        `flight.batch.fly_batch`. progress: as in `run`, of cases. together: as cases of one program, which is
        compiled for them, or one by one; none chooses by the number of steps."""
        from .flight.batch import fly_batch

        self.check()
        return fly_batch(self, dict(dispersed), threads, samples, progress=progress, together=together)

    def derivatives(
        self,
        of: Sequence[str],
        wrt: Sequence[str],
        at: str = "end",
        side: Literal["before", "after"] = "before",
    ) -> Derivatives:
        """Exact derivatives of quantities at an event with respect to inputs, through all events before it.

        side: just before or after the event. See `flight.derivatives.derivatives`."""
        from .flight.derivatives import derivatives

        self.check()
        return derivatives(self, of, wrt, at, side)

    def compare(self, formulations: str | Sequence[str] = "all", **how: Any) -> Comparison:
        """Fly it by several formulations, and compare them with a reference; see `comparison.compare`."""
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
        """Fly it with some inputs varied, all cases in one batch: ``scenario.sweep({"bodies.payload.mass":
        "900 kg:1100 kg:5"})``; see `sweep.sweep`."""
        from .studies.sweep import sweep

        self.check()
        return sweep(self, vary, design, responses, **how)

    def solve(self, find: str | Sequence[str], so_that: str | Sequence[str], **how: Any) -> Solved:
        """The inputs so that quantities have given values: ``scenario.solve("devices.spring.stiffness",
        "pairs.stage.satellite.separation_speed@end = 0.8 m/s")``; see `optimization.find`."""
        from .studies.optimization import find as found

        self.check()
        return found(self, find, so_that, **how)

    def optimize(self, study: OptimizationStudy | Mapping[str, Any], **how: Any) -> Optimum:
        """The best of its flights, as a study asks, an `OptimizationStudy` or its tables:
        ``scenario.optimize({"variables": ..., "constraints": ..., "objective": ...})``; see
        `optimization.optimize`."""
        from .studies.optimization import optimize

        self.check()
        return optimize(self, study, **how)

    def trim(self, find: Any = (), so_that: Any = None, **how: Any) -> Trimmed:
        """The numbers with which nothing accelerates at its start, or something else holds:
        ``scenario.trim(["bodies.plane.initial.incidence.alpha", "engines.main.thrust"]).scenario``; see
        `trim.trim`."""
        from .studies.trim import trim

        self.check()
        return trim(self, find, so_that, **how)

    def linearize(
        self, at: Any = "start", inputs: Any = (), outputs: Any = None, **how: Any
    ) -> Linear | Series | Periodic:
        """Linear equations of its motion about a moment, or several: ``scenario.linearize("before apart",
        inputs="bodies.stage.torque").modes``; see `linear.linearize`."""
        from .studies.linear import linearize

        self.check()
        return linearize(self, at, inputs, outputs, **how)

    def symbols(self) -> Symbols:
        """Its reduced equations of motion as SymPy's, seen to be what the engine has:
        ``scenario.symbols().M22``; see `symbols.symbols`."""
        from .studies.symbols import symbols

        self.check()
        return symbols(self)

    def to_toml(self) -> str:
        """The scenario as canonical TOML in SI, which its first line states; reading it back gives a scenario
        that is equal to the last bit."""
        from .tree.bare_angles import IN_SI
        from .tree.toml_file import dumps

        return f"{IN_SI}\n{dumps(self)}"


GROUPS = (
    *("bodies", "joints", "forces", "aerodynamics", "engines", "guidance", "controls", "actuators"),
    *("devices", "sites", "sensors", "pairs", "interfaces", "phases", "events", "requirements"),
    *("clearance", "contacts", "heating", "legs"),
)
"""The groups of named declarations in a scenario."""


@cache
def repeatable() -> dict[str, dict[str, type[Repeatable]]]:
    """What may stand for several alike, by group and kind."""
    found = {group: kinds_in(declarations_in(Scenario.model_fields[group].annotation)) for group in GROUPS}
    return {group: kinds for group, kinds in found.items() if kinds}

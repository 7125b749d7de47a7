"""What a part is: one physical effect, in a folder of its own, that the engine knows by this contract only.

The engine asks each part that a scenario has for its share, in the order of the catalogue, and names none of
them. A part asks for what another finds by `here["name"]`, and reads of the core what a `here.Here` has.
Every hook does nothing unless it is given.

What a part keeps stands by its name: numbers of its state in `state.StateForm.own`, what changes at events
only in `state.Discrete.own`, what is settled from the initial pose in `state.Reference.own`, its declared
numbers made ready in `numbers.Numbers.own`. Each is a tree of arrays of the part's own making, lanes last.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from ..maths.arrays import jnp
from ..maths.interpolation import Interval
from ..tree import packages
from ..tree.errors import BadInput, Problem
from .answers import check_counts, missing
from .body_loads import loads_of
from .by_name import by_name, of_items
from .hooks import misspelt

if TYPE_CHECKING:
    from ..model.attachments import Motion
    from .event_table import Condition, EventTable, Happening
    from .here import Here
    from .layout import Layout
    from .mechanism import Mechanism
    from .point import Standing
    from .quantity import Quantity
    from .state import Discrete

Makers = Mapping[str, "Callable[[], dict[str, Quantity]]"]
"""What makes the quantities of each thing, by its path: "devices.spring"."""

OURS = "interstage.parts.catalogue"
"""Where the parts that come with Interstage are listed."""

StationKey = tuple[str, str, str]
"""What stands on a station: the class and the name of its declaration, and the end of it that stands there,
"parent", "child" or "body"."""


class Range(NamedTuple):
    """A variable that a part looks data up by. what: the data, "aerodynamics.drag on ball: CD". factor, unit:
    by which a distance is shown, and its label. ends: of the data as they are shown, where known. refuses:
    whether there is no value beyond an end, so that the flight ends. holds: whether it goes on beyond one.
    left, remedy: what is said of it, and advised, where a flight ended for that."""

    what: str
    variable: str
    factor: float = 1.0
    unit: str = ""
    ends: tuple[float, float] | None = None
    refuses: bool = False
    holds: bool = False
    left: str = "left its table"
    remedy: str = 'Give a wider table, or say outside = "hold" for it.'


class Fired(NamedTuple):
    """The events of one instant: all events of the table, which of them happen now (*lanes) each; due: for
    each part which of its times have come, by item; watched: which of its values have risen through zero
    (`watches`, *lanes); measured: what each has read (`measures`, *lanes)."""

    happenings: Sequence[Happening]
    newly: Sequence[Any]
    due: Mapping[str, Mapping[int, Any]]
    watched: Mapping[str, Any]
    measured: Mapping[str, Any]


class Kept(NamedTuple):
    """What a part keeps through a flight: its numbers in the state, and its switches, lanes last."""

    state: Any
    switches: Any


class Told(NamedTuple):
    """What linear analysis tells of a part by one of its states: name, unit ("" of none), what moves by it,
    "tank lox", and whether it is a coordinate, the rate of one, or neither."""

    name: str
    unit: str
    thing: str
    kind: str


class Part:
    """All of one effect in a scenario: all springs, all contacts. Made for a structure, without numbers."""

    name: ClassVar[str]
    """By which others ask for what it finds."""
    what: ClassVar[str] = ""
    """What it has in the state, in words: "propellant left in tanks"."""
    group: ClassVar[str] = ""
    """Group of the scenario in which its declarations stand."""
    kinds: ClassVar[tuple[type, ...]] = ()
    """Their classes."""
    states: int = 0
    """Numbers that it has in the state."""
    anew: bool = False
    """Whether these begin as declared where bodies start from saved flights; it is said then."""
    watches: int = 0
    """Values that it watches all together; see `watched`."""
    jolts: bool = False
    """Whether it ever gives bodies impulses; see `jumped`."""
    recoils: bool = False
    """Whether what it has in the state follows jumps of velocities; see `recoiled`."""
    moves: bool = False
    """Whether it has masses that move beside the bodies; see `masses`."""
    sheds: bool = False
    """Whether bodies ever lose mass at events through it; see `weighed`."""

    def __init__(self, layout: Layout):
        self.layout = layout

    @classmethod
    def there(cls, layout: Layout) -> bool:
        """Whether a scenario has anything of it; a part without anything is not in the program."""
        return any(isinstance(one, cls.kinds) for one in getattr(layout.scenario, cls.group))

    @cached_property
    def which(self) -> tuple[int, ...]:
        """Numbers of its declarations in their group."""
        group = getattr(self.layout.scenario, self.group)
        return tuple(k for k, one in enumerate(group) if isinstance(one, self.kinds))

    @cached_property
    def items(self) -> tuple[Any, ...]:
        """Its declarations, in order; of their numbers nothing may be read."""
        return self.of(self.layout.scenario)

    def of(self, scenario: Any) -> tuple[Any, ...]:
        """Its declarations with the numbers of `scenario`, of this structure."""
        group = getattr(scenario, self.group)
        return tuple(group[k] for k in self.which)

    # --- numbers

    def stacked(self, scenario: Any, lanes: int) -> Any:
        """Its declared numbers side by side, so that a program has few arguments; see `stacks`."""
        return None

    def numbers(self, scenario: Any, stacked: Any, lanes: int) -> Any:
        """Its declared numbers made ready. `scenario` has the structure of the layout and leaves with `lanes`
        (0 or 1) lane axes."""
        return None

    def centred(self, own: Any, centre: Any) -> Any:
        """Its numbers with what counts from the mass centres (3, body, *lanes) [m], drawing coordinates, and
        from the stations behind them."""
        return own

    def laden(self, scenario: Any, numbers: Any, lanes: int) -> Any:
        """Masses, mass centres and inertias of the bodies as they start, where it adds to them; see
        `numbers.Totals`."""
        return None

    def weighed(self, mechanism: Mechanism, x: Any, discrete: Discrete) -> Mechanism:
        """The mechanism with the masses that bodies have in a state."""
        return mechanism

    # --- the start

    def switches(self, mechanism: Mechanism, t: Any) -> Any:
        """What it has in the switches at the start, times t [s] (*lanes)."""
        return None

    def first(self, mechanism: Mechanism, discrete: Discrete, lanes: tuple[int, ...]) -> Any:
        """What it has in the state at the start, (`states`, *lanes), as declared."""
        return np.zeros((self.states, *lanes))

    def settled(self, mechanism: Mechanism, motion: Any) -> Any:
        """What is settled from the initial pose of the bodies."""
        return None

    def begun(self, here: Here) -> Any:
        """What it has in the state once the start is consistent, where that follows from the start; None
        leaves what `first` gave."""
        return None

    def of_start(self, mechanism: Mechanism, motion: Any) -> Any:
        """What of a start may be wrong, for `start_problems`; a tree of arrays."""
        return None

    def doubtful(self, start: Any, found: Any) -> Any:
        """In which lanes `start_problems` may find something, (lanes,); None for none. found: what
        `of_start` found."""
        return None

    def start_problems(self, start: Any) -> Iterable[Any]:
        """What is wrong with a start (`flight.start.Start`) of one lane."""
        return ()

    # --- linear analysis

    @property
    def inputs(self) -> Mapping[str, str]:
        """Signals to which it adds what an instant has `added` to them, by the names of their quantities,
        with their SI units."""
        return {}

    def sampling(self, item: int) -> str:
        """What takes samples at a condition of the kind "due", by its path: "controls.hold"."""
        return self.name

    def restored(self, mechanism: Mechanism, x: Any) -> Any:
        """What it has in the state x, put back on all that it always keeps: the directions in which that can
        change are those in which its numbers can. None where all of them may change, each for itself."""
        return self.normalised(mechanism, x)

    @property
    def told(self) -> tuple[Told, ...]:
        """Coordinates by which linear analysis tells what it has in the state, in place of `states` numbers
        that move with the bodies, or tie each other; none where these numbers tell it as they are."""
        return ()

    def tell(self, mechanism: Mechanism, x: Any, near: Any) -> Any:
        """The coordinates that are `told` in a state x (coordinate, *lanes); small turns count from a state
        `near` it, without which there is no change of them."""
        raise missing(self, "tell")

    def untold(self, mechanism: Mechanism, x: Any, values: Any, near: Any) -> Any:
        """Its numbers in a state whose bodies are those of x, of the values of its coordinates."""
        raise missing(self, "untold")

    # --- from leg to leg

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of its numbers in the state, by which a later leg of a mission finds them: of each of its
        `items` as many, one item behind the other, unless it says otherwise."""
        items = self.items if self.group and self.states else ()
        each, left = divmod(self.states, len(items)) if items else (0, self.states)
        if left:  # known only as a whole
            return tuple(f"{self.states}.{k}" for k in range(self.states))
        return tuple(f"{item.name}.{k}" for item in items for k in range(each))

    def carried(self, earlier: Part, before: Kept, fresh: Kept, discrete: Discrete) -> Kept:
        """What it keeps as a leg begins, of what it kept in the leg before. earlier: the part there;
        discrete: the switches there at the end; fresh: what it has where a flight begins.

        Numbers of the state go by `labels`; switches by the names of `items`, where every array has these
        first, and are else as fresh."""
        state = by_name(self.labels, earlier.labels, before.state, fresh.state)
        return Kept(state, of_items(self, earlier, before.switches, fresh.switches))

    def kept(self, earlier: Part, before: Any, fresh: Any) -> Any:
        """What is `settled` as a leg begins, likewise: by the names of `items`, where every array has these
        first, and else as fresh."""
        return of_items(self, earlier, before, fresh)

    def parted(self, here: Here, other: Part | None, bodies: Collection[str], begins: bool) -> Iterable[str]:
        """What is dropped as a leg goes on without some of its items, or added as one begins with some that
        the leg before was without (begins): sentences for the results, with how much it is. other: the part
        in the other leg, if it is there; bodies: those that fly in both."""
        return ()

    # --- events

    def deeds(self, name: str, actions: Any, number: int) -> Any:
        """What it does at an event of this name; None for nothing. actions, number: of a phase or event that
        the scenario declares, None and -1 of others."""
        return None

    def events_of(self, table: EventTable, names: Mapping[str, int], address: Any, declared: Any) -> None:
        """Add the events of one device to the table, if it is its own. names: numbers of all events by name;
        address: where the device is in the scenario."""

    @property
    def makes(self) -> tuple[str, ...]:
        """Names of the events that `events` adds, in their order. The declarations have them as
        `Effect.makes`, so that other events may wait for them."""
        return ()

    def events(self, table: EventTable) -> None:
        """Add its other events to the table, behind those of all devices, and conditions without events."""

    def value(self, condition: Condition, here: Here) -> Any:
        """The value of a condition of its own, which rises through zero where it is met, (*lanes)."""
        raise missing(self, "value")

    def due(self, item: int, discrete: Discrete) -> Any:
        """When a condition of its own on the time is met next [s] (*lanes); inf for never. It is met behind
        all other events of its instant, so that `measured` is read of what they left."""
        raise missing(self, "due")

    def watched(self, here: Here) -> Any:
        """Values that rise through zero where its own switches change, (`watches`, *lanes)."""
        raise missing(self, "watched")

    def armed(self, discrete: Discrete) -> Any:
        """Which of these count at present, (`watches`, *lanes)."""
        raise missing(self, "armed")

    def ready(self, deeds: Any, discrete: Discrete) -> Any:
        """Whether an event with such deeds can happen at present (*lanes); None where it always can."""
        return None

    def switched(self, mechanism: Mechanism, t: Any, x: Any, before: Discrete, after: Discrete, fired: Fired):
        """State and switches after events, before what they let go or catch moves any body."""
        return x, after

    def jumped(self, mechanism: Mechanism, t: Any, x: Any, before: Discrete, after: Discrete, fired: Fired):
        """State and switches with the impulses that it gives at events."""
        return x, after

    def struck(self, before: Discrete, after: Discrete) -> Any:
        """Whether it has given bodies an impulse between the two (*lanes)."""
        return False

    @property
    def measures(self) -> int:
        """How many numbers it reads at its times that are due; see `measured`."""
        return 0

    def measured(self, here: Here) -> Any:
        """What it reads at its times that are due, (`measures`, *lanes)."""
        raise missing(self, "measured")

    def looked(self, mechanism: Mechanism, t: Any, discrete: Discrete, fired: Fired) -> Discrete:
        """The switches after its times that are due, by what it has `measured` then."""
        return discrete

    def recoiled(self, mechanism: Mechanism, x: Any, discrete: Discrete, change: Any) -> Any:
        """What it has in the state x where velocities jump by `change` (6, body, *lanes); None where that
        stays."""
        return None

    # --- at one instant

    def find(self, here: Here) -> Any:
        """What it does at an instant, for its other hooks, its quantities, and other parts."""
        return None

    def wrench(self, here: Here) -> Any:
        """Forces [N, inertial axes] and torques about the mass centres [N m, body axes] on all bodies, (6,
        body incl. ground, *lanes); None for none."""
        return None

    def force(self, here: Here) -> Any:
        """The forces of `wrench` alone (3, body incl. ground, *lanes), for bodies that fly as a point: what
        holds their attitude takes moments up. Worth giving where forces alone cost less."""
        share = self.wrench(here)
        return None if share is None else loads_of(self, share, here.equations.layout.count, here)[:3]

    def shift(self, here: Here) -> Any:
        """Velocities of the mass centres through the structures [m/s] (3, body, *lanes), body axes; None for
        none."""
        return None

    def losing(self, here: Here) -> Any:
        """Rates of the masses of the bodies [kg/s] (body, *lanes); None where it changes none."""
        return None

    def standing(self, here: Here) -> Standing | None:
        """The attitude that the bodies are to have that fly as a point (`Scenario.attitude`); None where it
        says nothing of that."""
        return None

    def rates(self, here: Here, acceleration: Any) -> Any:
        """Of its numbers in the state, (`states`, *lanes). acceleration (6, body, *lanes): of the bodies."""
        raise missing(self, "rates")

    def normalised(self, mechanism: Mechanism, x: Any) -> Any:
        """What it has in the state, put back on what it must keep; None where there is nothing to keep."""
        return None

    def stored(self, here: Here) -> Any:
        """Energy that it holds and may give back [J] (*lanes); None for none."""
        return None

    def carried_mass(self, here: Here) -> Any:
        """Masses of its own [kg] that count with bodies in their stacks (body, *cases); None for none."""
        return None

    def masses(self, here: Here) -> Any:
        """What moves beside the bodies: masses [kg] (item, *lanes), offsets from the local origin [m] and
        velocities relative to it [m/s] (3, item, *lanes), inertial axes; None for none."""
        return None

    # --- steps

    def kicked(self, own: Any, rates: Any, h: Any) -> Any:
        """Its numbers in the state moved on by h [s] with their `rates`, but for places that follow
        velocities among them, which `drifted` moves; for formulations that step by themselves. Unless it
        says so, none are places: the order is the same, but energy of what vibrates then grows."""
        return own + h * rates

    def drifted(self, own: Any, fast: Any, h: Any) -> Any:
        """Its numbers in the state with their places moved on by h [s] with the velocities in `fast`."""
        return own

    def sizes(self, mechanism: Mechanism) -> Any:
        """Of each of its numbers in the state the size up to which the tolerance of a step is absolute, and
        beyond which it is relative (`states`, *lanes), in the units of these; None for 1 of each."""
        return None

    def places(self, here: Here) -> Iterable[Any]:
        """Where it is among the kinks of its laws, (*lanes) each; see `stepper.problem.Hybrid.among`."""
        return ()

    def features(self, here: Here) -> Iterable[Interval]:
        """Where variables are among the points of its laws, between which a law may do anything: no step
        passes over such an interval unseen. Default: its kinks alone."""
        for place in self.places(here):
            low = jnp.floor(place)
            yield Interval(low + 0.5, low, low + 1.0, 1.0, jnp.inf)

    @property
    def airborne(self) -> Sequence[int]:
        """Bodies at whose centres of mass it reads the atmosphere. The layers there are features, too."""
        return ()

    # --- stations: frames that it moves within bodies

    @property
    def stations(self) -> tuple[StationKey, ...]:
        """What stands on frames that it moves within bodies, in the order of these frames. Motion and loads
        of such a frame are for others those of one more body, behind the ground."""
        return ()

    @property
    def station_bodies(self) -> Sequence[int]:
        """The body that each of its stations is in."""
        raise missing(self, "station_bodies")

    def station_places(self, own: Any) -> Any:
        """Origins of its stations where nothing has moved them (3, station, *lanes) [m], drawing coordinates;
        arms to points are from there. own: its numbers made ready."""
        raise missing(self, "station_places")

    def stationed(self, mechanism: Mechanism, x: Any, motion: Motion) -> Motion:
        """Motion of its stations, of bodies that move like `motion`."""
        raise missing(self, "stationed")

    @property
    def follows(self) -> bool:
        """Whether its stations move through their bodies as masses change, besides what `stationed` knows;
        see `drifting`."""
        return False

    def drifting(self, here: Here) -> Motion:
        """Motion of its stations with what they move by as masses change, where it `follows` them."""
        raise missing(self, "drifting")

    def felt(self, mechanism: Mechanism, x: Any, motion: Motion, loads: Any, which: Any) -> tuple[Any, Any]:
        """Loads (6, load, *lanes) on stations, as `wrench` gives them, as loads on the bodies that these are
        in (6, load, *lanes), and on its freedoms (freedom, load, *lanes). which (load,): numbers among its
        stations, static."""
        raise missing(self, "felt")

    def accelerated(self, here: Here, acceleration: Any, second: Any) -> Any:
        """Accelerations of its stations (6, station, *lanes), likewise, of bodies with these. second
        (freedom, *lanes): of its freedoms."""
        raise missing(self, "accelerated")

    @property
    def freedoms(self) -> Sequence[int]:
        """Of coordinates among its numbers in the state, each with a mass of its own, that its stations
        follow: the body that each belongs to. Loads on stations, those of joints among them, move these
        too."""
        return ()

    def freedom_masses(self, own: Any) -> Any:
        """Masses of its freedoms [kg] (freedom, *lanes)."""
        raise missing(self, "freedom_masses")

    def freedom_rates(self, own: Any) -> Any:
        """Rates of its freedoms (freedom, *lanes), among its numbers in the state."""
        raise missing(self, "freedom_rates")

    def unloaded(self, here: Here) -> Any:
        """Second rates of its freedoms (freedom, *lanes) without loads on its stations."""
        raise missing(self, "unloaded")

    def displaced(self, own: Any, by: Any, jump: Any) -> Any:
        """Its numbers in the state, with freedoms that move by `by` and whose rates jump by `jump` (freedom,
        *lanes)."""
        raise missing(self, "displaced")

    # --- what is read of it

    def beyond(self, here: Here) -> Mapping[Any, Any]:
        """How far variables are beyond the data of its `ranges` (*lanes), by the keys of those: negative
        below, positive above, zero within and where nothing acts."""
        return {}

    def ranges(self, scenario: Any) -> Mapping[Any, Range]:
        """Variables that its data are given over, with the numbers of `scenario`, of this structure."""
        return {}

    def quantities(self) -> Makers:
        """Of its things, none where something that they name is not there; to those of a body or element it
        may add."""
        return {}

    def corners(self, mechanism: Mechanism, t: Any, discrete: Discrete) -> Iterable[Any]:
        """Times at which its laws bend [s], arrays (any, *lanes) or with lanes of size one."""
        return ()

    def breaks(self, mechanism: Mechanism, t: Any, discrete: Discrete) -> Iterable[Any]:
        """Times at which accelerations may jump because its laws bend or jump [s], like `corners`, of which
        they are none."""
        return self.jumps(mechanism, t, discrete)

    def jumps(self, mechanism: Mechanism, t: Any, discrete: Discrete) -> Iterable[Any]:
        """Those of them at which its laws jump from one value to another, like `corners`."""
        return ()

    def longest(
        self, mechanism: Mechanism, ordinary: Any, x: Any, slope: Any, value: Any, discrete: Discrete
    ):
        """The longest step (*lanes) [s] in which nothing of it is passed by unseen, None for any. ordinary:
        what makes states as the mechanism has them of those that are stepped, like x, with the rates `slope`;
        value (`watches`, *lanes): what it watches."""
        return

    def note_shared(self, meta: dict[str, Any], shared: Collection[str]) -> None:
        """Note, in what a record says its quantities mean, that they follow from loads of joints which rigid
        bodies do not determine, and which are `shared` by a rule."""


def registered(scenario: Any) -> tuple[type[Part], ...]:
    """The parts that come with Interstage of which a scenario may have something, in the order in which their
    shares are summed."""
    return tuple(import_module(OURS).parts_of(scenario))


def present(layout: Layout) -> Mapping[str, Part]:
    """The parts that a scenario has, by name."""
    every = (*registered(layout.scenario), *_of_others(layout))
    return {kind.name: kind(layout) for kind in every if kind.there(layout)}


def without_law(layout: Layout) -> list[Problem]:
    """Problems of forces and devices of other packages that no part computes. Raises BadInput for a part
    whose numbers of values are not counts."""
    for part in layout.parts.values():
        check_counts(part)
    kinds = tuple(kind for part in layout.parts.values() for kind in part.kinds)
    found = []
    for group in ("forces", "devices"):
        for one in getattr(layout.scenario, group):
            package = packages.home(type(one))
            if not one.flies:
                text = f"nothing flies it: {getattr(one, 'why', 'its package is not there')}"
                found.append(Problem(f"{group}.{one.name}", text))
            if package is not None and package.distribution and not isinstance(one, kinds):
                text = f"is a kind of {package}, and no part in its module 'flown' has it among its kinds, so"
                found.append(Problem(f"{group}.{one.name}", f"{text} it would do nothing; mend the package"))
    return found


def _of_others(layout: Layout) -> Iterator[type[Part]]:
    """The parts of other packages that the scenario has something of, `PARTS` of their modules `flown`.
    Raises BadInput where they cannot be had."""
    others = tuple(packages.of_others("flown", layout.scenario))
    own = {kind.name for kind in import_module(OURS).every_part()} if others else set()
    for flown, package in others:
        kinds = getattr(flown, "PARTS", None)
        if not isinstance(kinds, tuple) or not all(map(_is_part, kinds)):
            text = f"{package.name}.flown must name them: PARTS = (EddyDampers,), classes derived from"
            raise BadInput(f"the parts of {package} cannot be flown: {text} interstage.engine.contract.Part")
        for kind in kinds:
            if fault := _incomplete(kind) or misspelt(kind, Part, package):
                raise BadInput(f"the parts of {package} cannot be flown: {package.name}.flown.{fault}")
            if kind.name in own:
                raise BadInput(
                    f"the parts of {package} cannot be flown: '{kind.name}' is another part's name"
                )
            own.add(kind.name)
            yield kind


def _incomplete(kind: type[Part]) -> str:
    """What a part must say of itself and does not, in words; nothing where it says all."""
    if not isinstance(getattr(kind, "name", None), str):
        return f'{kind.__name__} has no name; write name = "eddy_dampers", by which others ask for it'
    if kind.there.__func__ is not Part.there.__func__:  # type: ignore[attr-defined]
        return ""
    if kind.group not in packages.catalogue().kinds:
        return f'{kind.__name__} has no group; write group = "devices", or where its declarations stand'
    if (
        not isinstance(kind.kinds, tuple)
        or not kind.kinds
        or not all(isinstance(c, type) for c in kind.kinds)
    ):
        return f"{kind.__name__} has no kinds; write kinds = (EddyDamper,), the classes of its declarations"
    return ""


def _is_part(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Part)

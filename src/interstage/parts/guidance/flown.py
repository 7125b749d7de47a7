"""Guidance in flight: the attitude that each law asks for, worked out where somebody follows it or reads
it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from ...engine.contract import Makers, Part
from ...engine.here import Here, Unmeasured
from ...engine.quantity import scalar
from ...maths.arrays import jnp
from ...tree.errors import BadInput, Problem
from . import laws
from .declared import KINDS
from .quantities import quantities
from .stance import Stance, View

if TYPE_CHECKING:
    from ...engine.mechanism import Mechanism
    from ...engine.state import Discrete
    from ...quantities.catalogue import Catalogue


class Stances(Mapping[str, Stance]):
    """The attitudes that laws ask for at an instant, by their names; each is found when it is first asked
    for."""

    def __init__(self, part: Guidance, here: Here):
        self._part, self._here = part, here
        self._found: dict[str, Stance] = {}
        self._working: set[str] = set()

    def __getitem__(self, name: str) -> Stance:
        if name not in self._found:
            if name in self._working:
                raise Unmeasured("follows from the very attitude that it gives")
            self._working.add(name)
            try:
                self._found[name] = laws.stance(*self._part.seen(self._here, name))
            finally:
                self._working.discard(name)
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return (law.name for law in self._part.items)

    def __len__(self) -> int:
        return len(self._part.items)


class Guidance(Part):
    """The guidance laws of a scenario. What it finds is a `Stance` by the name of each law."""

    name = "guidance"
    group = "guidance"
    kinds = KINDS["guidance"]

    @cached_property
    def _number(self) -> dict[str, int]:
        return {law.name: k for k, law in enumerate(self.items)}

    @cached_property
    def readable(self) -> Catalogue:
        """What laws may read."""
        from ...quantities.catalogue import catalogue

        return catalogue(self.layout.scenario)

    @cached_property
    def followed(self) -> tuple[int, ...]:
        """Numbers of the laws that something follows all the time: only of these do bends matter to steps."""
        scenario = self.layout.scenario
        names = {getattr(law, "follows", None) for law in scenario.controls if law.period is None}
        names.add(getattr(scenario, "attitude", None))
        return tuple(k for k, law in enumerate(self.items) if law.name in names)

    def numbers(self, scenario: Any, stacked: Any, lanes: int) -> tuple[laws.Ready, ...]:
        """The laws made ready."""
        return tuple(laws.prepare(law) for law in self.of(scenario))

    # --- at one instant

    def find(self, here: Here) -> Stances:
        """The attitudes asked for."""
        return Stances(self, here)

    def seen(self, here: Here, name: str) -> tuple[laws.Ready, View]:
        """A law made ready, and what it sees."""
        k = self._number[name]
        law = self.items[k]
        begun, begin = self._begin(law, here.discrete)
        elapsed = jnp.where(begun, here.t - jnp.where(begun, begin, 0.0), 0.0)
        view = View(here, self.layout.bodies.index(law.body), elapsed, begun, partial(self._read, law, here))
        return here.equations.numbers.own[self.name][k], view

    def _begin(self, law: Any, discrete: Discrete) -> tuple[Any, Any]:
        """Whether a law's moment has come, and when it came [s] (*lanes)."""
        number = 0 if law.since is None else self.layout.moment(law.since)
        return discrete.fired[number], discrete.event_time[number]

    def _read(self, law: Any, here: Here, path: str) -> Any:
        """A quantity that a law goes by. Raises BadInput where there is none, Unmeasured where it is not
        known yet."""
        from ...quantities.catalogue import lookup

        try:
            return scalar(*lookup(self.readable, path), here)
        except KeyError as error:
            raise BadInput(Problem(f"guidance.{law.name}", str(error.args[0]))) from None
        except Unmeasured as error:
            raise Unmeasured(f"reads {path}, which {error}") from None

    # --- steps

    def corners(self, mechanism: Mechanism, t: Any, discrete: Discrete) -> Iterable[Any]:
        """Points of tables over time."""
        own = mechanism.numbers.own[self.name]
        begins = ((k, self._begin(self.items[k], discrete)[1]) for k in self.followed)
        return [p for k, begin in begins for p in laws.knots_in_time(own[k], begin)]

    def places(self, here: Here) -> Iterable[Any]:
        """Where quantities are among the kinks of tables over them."""
        return [p for k in self.followed for p in laws.places(*self.seen(here, self.items[k].name))]

    # --- what is read of it

    def quantities(self) -> Makers:
        """The attitude that each law asks for, and how far the body is from it."""
        return {
            f"guidance.{law.name}": partial(quantities, self, law)
            for law in self.items
            if law.body in self.layout.bodies
        }

"""Which bodies must keep clear of each other, from when to when, and what is then known of them."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, NamedTuple

from pydantic import model_validator

from ...record.record import QuantityMeta
from ...tree.declaration import Declaration
from ...tree.errors import Refused, near
from ...tree.names import Name
from ...tree.units import si

GROUP = "clearance"
AXES = ("x", "y", "z")
OF_MEETING = ("recontacts", "recontact_speed", "recontact_energy")
"""Quantities that are zero where bodies do not meet again."""
PAIR_SIGN = "/"
"""What stands between the two shapes of a pair that is ignored."""


class Clearance(Declaration):
    """The distance of two bodies, or of some of their shapes, watched over a stretch of the flight."""

    moment_fields: ClassVar[tuple[str, ...]] = ("after", "until")
    name: Name
    """Name in paths and tables."""
    between: tuple[str, ...]
    """The two bodies, ["booster", "core"], or shapes of them, ["booster.nozzle", "core.interstage"]."""
    ignore: tuple[str, ...] = ()
    """Shapes that are left out, "booster.ring", or pairs of them that are meant to touch,
    "booster.ring / core.ring"."""
    after: str | None = None
    """Phase or event from which on it counts, or the end of a leg, "boost end". Default: the start of the
    flight, or, where the two touch then, the moment at which they first come apart."""
    until: str | None = None
    """Phase or event until which it counts, or the end of a leg. Default: the end of the flight."""
    interval: Annotated[Any, si("s", positive=True)] = 0.01
    """Longest time between distances that are found [s]; least distances are looked for in between."""
    warn_below: Annotated[Any, si("m")] | None = None
    """Least distance below which the flight carries a warning [m]; of bodies that touch at the start from
    when they have first been so far apart."""

    @model_validator(mode="after")
    def _two(self) -> Clearance:
        if len(self.between) != 2:
            count = len(self.between)
            text = f'names {count}; a distance is between two, like between = ["booster", "core"]'
            raise Refused(("between", text))
        (a, _, _), (b, _, _) = (name.partition(".") for name in self.between)
        if a == b:
            raise Refused(("between", f"'{a}' keeps its distance from itself; name two different bodies"))
        if self.after is not None and self.after == self.until:
            raise Refused(("until", f"'{self.until}' is where it begins, too; name a later phase or event"))
        return self

    @property
    def bodies(self) -> tuple[str, str]:
        """Names of the two bodies."""
        a, b = (name.partition(".")[0] for name in self.between)
        return a, b


class Chosen(NamedTuple):
    """Names of the shapes of each of the two bodies, and the pairs of them that are left out."""

    a: tuple[str, ...]
    b: tuple[str, ...]
    ignored: frozenset[tuple[str, str]]


def chosen(declared: Clearance, scenario: Any) -> Chosen:
    """The shapes that a clearance is about. Raises `Refused` for names that do not exist, and where no pair
    of shapes is left."""
    bodies = {body.name: body for body in scenario.bodies}
    sides = []
    for name in declared.between:
        body, _, shape = name.partition(".")
        if body not in bodies:
            raise Refused(("between", f"there is no body '{body}'; {near(body, bodies, 'bodies')}"))
        known = [s.name for s in bodies[body].shapes]
        if not known:
            text = f"body '{body}' has no shapes; give it some, like [bodies.{body}.shapes.hull]"
            raise Refused(("between", text))
        if shape and shape not in known:
            text = f"body '{body}' has no shape '{shape}'; {near(shape, known, 'shapes')}"
            raise Refused(("between", text))
        sides.append((shape,) if shape else tuple(known))
    left_out, ignored = _ignored(declared, bodies)
    a, b = (
        tuple(s for s in names if (body, s) not in left_out)
        for body, names in zip(declared.bodies, sides, strict=True)
    )
    if all((one, other) in ignored for one in a for other in b):
        raise Refused(("ignore", "leaves no pair of shapes to watch; ignore fewer"))
    return Chosen(a, b, frozenset(ignored))


def _ignored(declared: Clearance, bodies: dict[str, Any]) -> tuple[set[Any], set[tuple[str, str]]]:
    """(shapes left out as (body, shape), pairs (shape of a, shape of b) left out)."""
    alone, pairs = set(), set()
    for text in declared.ignore:
        named = [_shape(part.strip(), declared, bodies) for part in text.split(PAIR_SIGN)]
        if len(named) == 1:
            alone.add(named[0])
        elif len(named) == 2 and named[0][0] != named[1][0]:
            by_body = dict(named)
            pairs.add((by_body[declared.bodies[0]], by_body[declared.bodies[1]]))
        else:
            example = '"booster.ring", or a pair of them, "booster.ring / core.ring"'
            raise Refused(("ignore", f"'{text}' names no shape and no pair of two bodies; write {example}"))
    return alone, pairs


def _shape(text: str, declared: Clearance, bodies: dict[str, Any]) -> tuple[str, str]:
    body, _, shape = text.partition(".")
    if body not in declared.bodies:
        text = f"'{body}' is not one of the two bodies; {near(body, declared.bodies, 'bodies')}"
        raise Refused(("ignore", text))
    known = [s.name for s in bodies[body].shapes]
    if shape not in known:
        what = f"body '{body}' has no shape '{shape}'" if shape else f"'{text}' names no shape"
        raise Refused(("ignore", f"{what}; {near(shape, known, 'shapes')}"))
    return body, shape


def metas(declared: Clearance) -> dict[str, QuantityMeta]:
    """What is known of a clearance after the flight: name -> meaning."""
    a, b = declared.bodies
    axes = f"{a} structural axes", f"{b} structural axes"
    depth = "minus the depth where they overlap"
    return {
        "distance": QuantityMeta("m", f"distance of {a} and {b}", note=depth),
        "point_on_a": QuantityMeta("m", f"nearest point on {a}", axes[0], AXES, "drawing coordinates"),
        "point_on_b": QuantityMeta("m", f"nearest point on {b}", axes[1], AXES, "drawing coordinates"),
        "direction": QuantityMeta("1", f"direction from {a} to {b} at the nearest points", axes[0], AXES),
        "recontacts": QuantityMeta("1", f"number of recontacts of {a} and {b}"),
        "recontact_speed": QuantityMeta("m/s", "largest speed of approach of these"),
        "recontact_energy": QuantityMeta("J", "largest energy of approach of these"),
    }


def unit_of(scenario: Any, path: str) -> str:
    """SI unit of a quantity of a clearance, "clearance.nozzle.distance". Raises KeyError with what is
    wrong."""
    _, _, rest = path.partition(".")
    name, _, key = rest.partition(".")
    declared = {c.name: c for c in scenario.clearance}
    if name not in declared:
        raise KeyError(f"there is no clearance '{name}'; {near(name, declared, 'clearances')}")
    known = metas(declared[name])
    quantity, _, component = key.partition(".")
    if quantity not in known:
        raise KeyError(f"there is no quantity '{path}'; {near(quantity, known, 'quantities')}")
    components = known[quantity].components
    allowed = (*components, "magnitude") if components else ()
    if components and component not in allowed:
        raise KeyError(f"'{GROUP}.{name}.{quantity}' is a vector; name a component: {', '.join(allowed)}")
    if component and not components:
        raise KeyError(f"'{GROUP}.{name}.{quantity}' has no component '{component}'; it is one number")
    return known[quantity].unit


KINDS = {"clearance": (Clearance,)}
READ_ONLY = {"clearance": ()}

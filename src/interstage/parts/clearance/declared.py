"""Declaration of clearances: distances between two bodies during a section of the flight, and their output
quantities.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, NamedTuple

from pydantic import model_validator

from ...model.pattern import Repeatable
from ...record.record import QuantityMeta
from ...tree.errors import Refused
from ...tree.names import Name
from ...tree.sentences import count_text
from ...tree.similar_names import near
from ...tree.units import si

GROUP = "clearance"
AXES = ("x", "y", "z")
OF_MEETING = ("recontacts", "recontact_speed", "recontact_energy")
"""The names of the quantities that are zero without recontact."""
PAIR_SIGN = "/"
"""The separator between the two shapes of an ignored pair."""


class Clearance(Repeatable):
    """The distance between two bodies, or between some of their shapes, during a section of the flight."""

    moment_fields: ClassVar[tuple[str, ...]] = ("after", "until")
    name: Name
    """The name of the clearance in paths and tables."""
    between: tuple[str, ...]
    """The two bodies, like ["booster", "core"], or one shape of each, like ["booster.nozzle",
    "core.interstage"]. If a body has copies, there is one clearance for each copy."""
    ignore: tuple[str, ...] = ()
    """Shapes to ignore, like "booster.ring", or pairs of shapes that touch by design, like "booster.ring /
    core.ring"."""
    after: str | None = None
    """The phase, event, or end of a leg ("boost end") at which the clearance begins. Default: the start of
    the flight; if the bodies touch at the start, the time of their first separation."""
    until: str | None = None
    """The phase, event, or end of a leg at which the clearance ends: the first occurrence after its start.
    Default: the end of the flight."""
    interval: Annotated[Any, si("s", positive=True)] = 0.01
    """The longest time between computed distances [s]. A search finds the minimum distances between these
    times."""
    warn_below: Annotated[Any, si("m")] | None = None
    """The distance below which the run prints a warning [m]. If the bodies touch at the start, the check
    begins when their distance has first exceeded this value. Default: no warning."""

    @model_validator(mode="after")
    def _two(self) -> Clearance:
        if len(self.between) != 2:
            entries = count_text(len(self.between), "entries")
            text = (
                f"'between' has {entries}. Name two bodies or shapes, for example between = [\"booster\", "
                '"core"]'
            )
            raise Refused(("between", text))
        (a, _, _), (b, _, _) = (name.partition(".") for name in self.between)
        if a == b:
            raise Refused(("between", f"body '{a}' is listed twice. Name two different bodies"))
        if self.after is not None and self.after == self.until:
            raise Refused(
                ("until", f"'{self.until}' is also the value of after. Name a later phase or event")
            )
        return self

    @property
    def bodies(self) -> tuple[str, str]:
        """The names of the two bodies."""
        a, b = (name.partition(".")[0] for name in self.between)
        return a, b


class Chosen(NamedTuple):
    """The shapes of a clearance: names of the shapes of the two bodies a and b, and pairs of shapes to
    ignore.
    """

    a: tuple[str, ...]
    b: tuple[str, ...]
    ignored: frozenset[tuple[str, str]]


def chosen(declared: Clearance, scenario: Any) -> Chosen:
    """Return the shapes of a clearance. Raises `Refused` for unknown names, and if all pairs of shapes are
    ignored.
    """
    bodies = {body.name: body for body in scenario.bodies}
    sides = []
    for name in declared.between:
        body, _, shape = name.partition(".")
        if body not in bodies:
            raise Refused(("between", f"there is no body '{body}'; {near(body, bodies, 'bodies')}"))
        known = [s.name for s in bodies[body].shapes]
        if not known:
            text = f"body '{body}' has no shapes. Add at least one, like [bodies.{body}.shapes.hull]"
            raise Refused(("between", text))
        if shape and shape not in known:
            text = f"body '{body}' has no shape '{shape}'; {near(shape, known, 'shapes')}"
            raise Refused(("between", text))
        sides.append((shape,) if shape else tuple(known))
    left_out, ignored = _ignored_shapes(declared, bodies)
    a, b = (
        tuple(s for s in names if (body, s) not in left_out)
        for body, names in zip(declared.bodies, sides, strict=True)
    )
    if all((one, other) in ignored for one in a for other in b):
        raise Refused(
            ("ignore", "'ignore' excludes all pairs of shapes. Remove at least one pair from 'ignore'")
        )
    return Chosen(a, b, frozenset(ignored))


def _ignored_shapes(declared: Clearance, bodies: dict[str, Any]) -> tuple[set[Any], set[tuple[str, str]]]:
    """Return the ignored shapes as (body, shape), and the ignored pairs (shape of a, shape of b)."""
    alone, pairs = set(), set()
    for text in declared.ignore:
        named = [_shape(part.strip(), declared, bodies) for part in text.split(PAIR_SIGN)]
        if len(named) == 1:
            alone.add(named[0])
        elif len(named) == 2 and named[0][0] != named[1][0]:
            by_body = dict(named)
            pairs.add((by_body[declared.bodies[0]], by_body[declared.bodies[1]]))
        else:
            example = '"booster.ring" for a shape, or "booster.ring / core.ring" for a pair'
            raise Refused(
                ("ignore", f"'{text}' is neither a shape nor a pair of shapes. Write for example {example}")
            )
    return alone, pairs


def _shape(text: str, declared: Clearance, bodies: dict[str, Any]) -> tuple[str, str]:
    body, _, shape = text.partition(".")
    if body not in declared.bodies:
        text = (
            f"'{body}' is not one of the two bodies of this clearance;"
            f" {near(body, declared.bodies, 'bodies')}"
        )
        raise Refused(("ignore", text))
    known = [s.name for s in bodies[body].shapes]
    if shape not in known:
        what = f"body '{body}' has no shape '{shape}'" if shape else f"'{text}' does not name a shape"
        raise Refused(("ignore", f"{what}; {near(shape, known, 'shapes')}"))
    return body, shape


def metas(declared: Clearance) -> dict[str, QuantityMeta]:
    """Return the unit, description and components of each output quantity of a clearance, by name."""
    a, b = declared.bodies
    axes = f"{a} structural axes", f"{b} structural axes"
    depth = "negative if the bodies overlap: minus the penetration depth"
    return {
        "distance": QuantityMeta("m", f"distance of {a} and {b}", note=depth),
        "point_on_a": QuantityMeta("m", f"nearest point on {a}", axes[0], AXES, "structural coordinates"),
        "point_on_b": QuantityMeta("m", f"nearest point on {b}", axes[1], AXES, "structural coordinates"),
        "direction": QuantityMeta("1", f"direction from {a} to {b} at the nearest points", axes[0], AXES),
        "recontacts": QuantityMeta("1", f"number of recontacts of {a} and {b}"),
        "recontact_speed": QuantityMeta("m/s", "largest approach speed at these recontacts"),
        "recontact_energy": QuantityMeta("J", "largest approach energy at these recontacts"),
    }


def unit_of(scenario: Any, path: str) -> str:
    """Return the SI unit of a quantity of a clearance.

    path: path of the quantity, for example "clearance.nozzle.distance". Raises KeyError with an explanation
    if the quantity does not exist.
    """
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
        raise KeyError(f"'{GROUP}.{name}.{quantity}' is a vector. Name a component: {', '.join(allowed)}")
    if component and not components:
        raise KeyError(f"'{GROUP}.{name}.{quantity}' is a scalar. Remove the component '{component}'")
    return known[quantity].unit


KINDS = {"clearance": (Clearance,)}
READ_ONLY = {"clearance": ()}

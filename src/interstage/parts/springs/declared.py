"""Declaration of springs with dampers along the line between two points."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from ...model.effect import Effect
from ...tree.names import Name
from ...tree.units import si


class Spring(Effect):
    """A spring with a damper along the line between two points."""

    stands: ClassVar[tuple[tuple[str, str], ...]] = (("parent", "parent_at"), ("child", "child_at"))
    losses: ClassVar[tuple[str, ...]] = ("damping",)

    kind: Literal["spring"] = "spring"
    """A spring and damper along a line between two points."""
    name: Name
    """Name of the spring in paths and tables."""
    parent: str
    """Name of the first body, or "ground"."""
    child: str
    """Name of the second body."""
    parent_at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """End point on the parent [m], structural coordinates of the parent (inertial axes for
    "ground")."""
    child_at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """End point on the child [m], structural coordinates of the child."""
    stiffness: Annotated[Any, si("N/m", nonnegative=True)]
    """Stiffness of the spring: force per extension [N/m]."""
    damping: Annotated[Any, si("N s/m", nonnegative=True)] = 0.0
    """Damping coefficient: force per rate of extension [N s/m]."""
    free_length: Annotated[Any, si("m", nonnegative=True)] | None = None
    """Length at zero force [m]. Default: the distance between the end points at the start."""
    phases: tuple[str, ...] | None = None
    """Names of the phases in which the spring acts. Default: all phases."""


KINDS = {"forces": (Spring,)}

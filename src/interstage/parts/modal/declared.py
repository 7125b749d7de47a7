"""Flexible bodies by modes: the modes, and their shapes at points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import StrictInt, model_validator

from ...model.effect import Effect
from ...tree.declaration import ByName, Declaration
from ...tree.errors import Refused, counted
from ...tree.names import Name
from ...tree.units import si
from . import files, levels

MOST_MODES = 200
"""Most modes of one body."""
GROUPS = ("joints", "forces", "devices", "engines", "sensors")
"""Groups of a scenario in which something may stand on a body."""


class ModalPoint(Declaration):
    """A point of a body, and how the modes displace and turn it; of a body that drains at each of its
    levels."""

    name: Name
    """Name in paths and tables."""
    at: Annotated[Any, si("m", (3,))]
    """Where it is [m], structural axes, drawing coordinates of the body."""
    shape: Annotated[Any, levels.by_level("1", ("n", 3))]
    """Displacement per unit of each mode's coordinate, structural axes; a row for each mode. By `propellant`
    such rows for each level."""
    turn: Annotated[Any, levels.by_level("rad/m", ("n", 3))]
    """Turn per unit of each mode's coordinate [rad/m], structural axes; likewise."""
    mass: Annotated[Any, levels.by_level("kg", nonnegative=True)] | None = None
    """Mass that is lumped there [kg], or that at each level. With those of all points the modes are compared
    with the body, and told apart from level to level; nothing else follows from it."""
    grid: StrictInt | None = None
    """Its grid point in a punch file, which gives `shape` and `turn`."""


class ModalBody(Effect):
    """Modes by which a body bends beside its motion as a rigid one: those of the free body, from finite
    elements or a test, without its rigid-body modes.

    What stands on the body (joints, bushings, springs, pushers, forces, engines, sensors) is displaced and
    turned with the point next to it, and loads the modes there.

    Of a body whose tanks drain the modes are given at several levels of the `propellant` left in it, and
    follow it in between."""

    losses: ClassVar[tuple[str, ...]] = ("damping",)
    yields: ClassVar[bool] = True

    kind: Literal["modal_body"] = "modal_body"
    """Modes by which a body bends."""
    name: Name
    """Name of the modes in paths and tables."""
    body: str
    """The body that bends."""
    file: str | tuple[str, ...] | None = None
    """A CSV file with modes and points, or a Nastran punch file (.pch) with eigenvectors, or several of
    these, one for each level of `propellant`. It is read at once, and its numbers stand in the other keys
    from then on. Its path counts from the scenario's folder."""
    modes: tuple[StrictInt, ...] | tuple[tuple[StrictInt, ...], ...] | None = None
    """Which modes of the file to take, by their numbers, or those of each of several files. Default: all."""
    file_length: Annotated[Any, si("m", positive=True)] | None = None
    """The unit of length of the model that a punch file comes from [m]: "1 m" or "1 mm". Such a file does not
    tell it, so it is given with each, and with no other file."""
    propellant: Annotated[Any, si("kg", ("n",), nonnegative=True)] | None = None
    """Levels of the propellant left in all tanks of the body [kg], increasing, at which modes are given. If
    not set, the mass of the body does not change."""
    interpolation: Literal["smooth", "cubic", "linear"] = "smooth"
    """Between levels: a curve with continuous second derivatives that stays between the two nearest levels; a
    cubic spline, which may leave them; or straight lines. Beyond the levels modes go on for a twentieth of
    the interval there, and are held then."""
    order: Literal["as given", "by shape"] = "as given"
    """Whether modes are numbered alike at all levels, or are to be put in the order of those at the highest
    level by their shapes."""
    frequency: Annotated[Any, levels.by_level("rad/s", ("n",), positive=True, grow=True)]
    """Angular frequency of each mode [rad/s]; 3 Hz is "3 rev/s". By `propellant` a row for each level, here
    and for `mass` and `damping`."""
    mass: Annotated[Any, levels.by_level("kg", ("n",), positive=True, grow=True)] = 1.0
    """Generalized mass of each mode [kg], or of all; 1 kg is that of shapes normalized to it. With a punch
    file it is given, as its unit is that of the model."""
    damping: Annotated[Any, levels.by_level("1", ("n",), nonnegative=True, grow=True)] = 0.0
    """Damping ratio of each mode, or of all."""
    points: Annotated[tuple[ModalPoint, ...], ByName()] = ()
    """Points of the body."""
    reach: Annotated[Any, si("m", nonnegative=True)] = 1e-3
    """How far from a point of the table something may stand, rigidly held to it [m]."""
    coordinate: Annotated[Any, si("m", ("n",))] | None = None
    """Coordinate of each mode at the start [m]. Default: zero."""
    rate: Annotated[Any, si("m/s", ("n",))] | None = None
    """Its rate at the start [m/s]. Default: zero."""

    @model_validator(mode="before")
    @classmethod
    def _read(cls, data: Any) -> Any:
        if isinstance(data, dict) and data.get("file") is not None:
            data = files.filled(data)
        if isinstance(data, dict) and data.get("propellant") is None:
            levels.refuse_rows(data)
        return data

    @model_validator(mode="after")
    def _check(self) -> ModalBody:
        for field in ("modes", "file_length"):
            if getattr(self, field) is not None:
                raise Refused((field, "is about a file, which is not given; give file, or leave it out"))
        if not isinstance(self.frequency, np.ndarray):
            return self
        if self.propellant is not None:
            self._settle(**levels.spread(self))
        count = self.count
        if not 1 <= count <= MOST_MODES:
            raise Refused(("frequency", f"has {counted(count, 'modes')}; allowed: 1 to {MOST_MODES}"))
        wrong = [*self._wrong_sizes(count)]
        wrong = wrong or [*levels.doubtful(self.at_levels)]
        if wrong:
            raise Refused(*wrong)
        if self.propellant is not None:
            self._settle(**levels.tracked(self))
        return self

    def _wrong_sizes(self, count: int) -> Iterator[tuple[str, str]]:
        """Numbers that are too few or too many for so many modes, and points that cannot be told apart."""
        for field in ("coordinate", "rate", *(() if self.propellant is not None else ("mass", "damping"))):
            found = getattr(self, field)
            least = (1, count) if field in ("mass", "damping") else (count,)
            if found is not None and len(found) not in least:
                numbers = counted(len(found), "numbers")
                yield field, f"has {numbers}; allowed: one for each of {counted(count, 'modes')}"
        names = [point.name for point in self.points]
        for k, point in enumerate(self.points):
            if point.name in names[:k]:
                yield f"points.{k}.name", f"'{point.name}' is another point's; name each differently"
            for field in ("shape", "turn"):
                rows = getattr(point, field).shape[self.propellant is not None]
                if rows != count:
                    yield (
                        f"points.{k}.{field}",
                        f"has {counted(rows, 'rows')}; give one for each of {counted(count, 'modes')}",
                    )
            if point.grid is not None:
                text = "is about a punch file, which is not given; give file, or leave it out"
                yield f"points.{k}.grid", text

    @property
    def at_levels(self) -> tuple[levels.Level, ...]:
        """The modes at each level, the highest last; of a body of constant mass there is one."""
        return levels.of(self)

    @property
    def unsettled(self) -> str:
        """Modes, which start as declared."""
        return (
            "has modes that start as declared, and swing from there unless their `coordinate` is that of rest"
        )

    @property
    def count(self) -> int:
        """Modes."""
        return self.frequency.shape[self.propellant is not None]

    @property
    def changing(self) -> bool:
        """Modes move by themselves."""
        return True


KINDS = {"forces": (ModalBody,)}

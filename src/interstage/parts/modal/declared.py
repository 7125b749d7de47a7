"""Declaration of flexible bodies by modes. A table contains the mode shapes at points of the body."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import StrictInt, model_validator

from ...model.flexible import FlexibleBody, ModeSet
from ...tree.declaration import ByName, Declaration
from ...tree.errors import Refused
from ...tree.names import Name
from ...tree.sentences import count_text
from ...tree.units import si
from . import files, levels

MOST_MODES = 200
"""The maximum number of modes of one body."""
GROUPS = ("joints", "forces", "devices", "engines", "sensors")
"""The groups of a scenario whose declarations can have attachments on a body."""


class ModalPoint(Declaration):
    """A point of a flexible body with its modal displacements and rotations. If the tanks of the body drain,
    the displacements and rotations are given at each propellant level."""

    name: Name
    """The name of the point in paths and tables."""
    at: Annotated[Any, si("m", (3,))]
    """The position of the point [m], in the structural coordinates of the body."""
    shape: Annotated[Any, levels.by_level("1", ("n", 3))]
    """The displacement per unit modal coordinate, in structural axes, one row for each mode. With
    `propellant`, there is one such table for each level."""
    turn: Annotated[Any, levels.by_level("rad/m", ("n", 3))]
    """The rotation per unit modal coordinate [rad/m], in structural axes, one row for each mode. With
    `propellant`, there is one such table for each level."""
    mass: Annotated[Any, levels.by_level("kg", nonnegative=True)] | None = None
    """The lumped mass at the point [kg], or one mass for each level. Lumped masses are used only to compare
    the modes with the body and to match the modes of different levels. Default: no mass."""
    grid: StrictInt | None = None
    """The number of the grid point in a Nastran punch file that gives `shape` and `turn`."""


class ModalBody(FlexibleBody):
    """The elastic modes of a flexible body, from finite elements or a test. The modes are the elastic modes
    of the free body, without its rigid-body modes.

    Joints, bushings, springs, pushers, forces, engines and sensors on the body move with the nearest point
    and apply generalized loads to the modes at this point.

    If the tanks of the body drain, the modes are given at several levels of the remaining `propellant`, and
    are interpolated between the levels."""

    losses: ClassVar[tuple[str, ...]] = ("damping",)

    kind: Literal["modal_body"] = "modal_body"
    """The elastic modes of a flexible body."""
    name: Name
    """The name of the modes in paths and tables."""
    body: str
    """The name of the flexible body."""
    file: str | tuple[str, ...] | None = None
    """The path of a CSV file with modes and points, or of a Nastran punch file (.pch) with eigenvectors,
    relative to the folder of the scenario. With `propellant`: a list of paths, one for each level. The files
    are read when the scenario is loaded, and their contents are stored in the other keys."""
    modes: tuple[StrictInt, ...] | tuple[tuple[StrictInt, ...], ...] | None = None
    """The numbers of the modes to read from the file, or one list of numbers for each of several files.
    Default: all modes."""
    file_length: Annotated[Any, si("m", positive=True)] | None = None
    """The unit of length of the finite-element model [m]: "1 m" or "1 mm". The unit is required for a punch
    file, because the file does not contain the unit. Not allowed with other files."""
    propellant: Annotated[Any, si("kg", ("n",), nonnegative=True)] | None = None
    """The levels of the modes [kg]: increasing masses of remaining propellant in all tanks of the body. Each
    level has one set of modes. Default: one set of modes, for a body of constant mass."""
    interpolation: Literal["smooth", "cubic", "linear"] = "smooth"
    """The interpolation between levels. "smooth": a curve with continuous second derivatives that stays
    between the values at the two nearest levels. "cubic": a cubic spline, which can overshoot the values at
    the two nearest levels. "linear": straight lines. Beyond the levels, the modes are extrapolated by one
    twentieth of the nearest interval, and then stay constant."""
    order: Literal["as given", "by shape"] = "as given"
    """The order of the modes at the levels. "as given": the same order at all levels. "by shape": the modes
    are sorted by shape into the order of the highest level."""
    frequency: Annotated[Any, levels.by_level("rad/s", ("n",), positive=True, grow=True)]
    """The angular frequency of each mode [rad/s]; 3 Hz is "3 rev/s". With `propellant`, `frequency`, `mass`
    and `damping` have one row for each level."""
    mass: Annotated[Any, levels.by_level("kg", ("n",), positive=True, grow=True)] = 1.0
    """The generalized mass [kg] of each mode, or one value for all modes. The mass is 1 kg for
    mass-normalized shapes in SI units. Required with a punch file, because its unit depends on the
    finite-element model."""
    damping: Annotated[Any, levels.by_level("1", ("n",), nonnegative=True, grow=True)] = 0.0
    """The damping ratio of each mode, or one value for all modes."""
    points: Annotated[tuple[ModalPoint, ...], ByName()] = ()
    """The points of the body with modal displacements."""
    reach: Annotated[Any, si("m", nonnegative=True)] = 1e-3
    """The maximum distance [m] between an attachment and a point. The attachment is rigidly connected to the
    point."""
    coordinate: Annotated[Any, si("m", ("n",))] | None = None
    """The modal coordinates at the start [m]. Default: zero."""
    rate: Annotated[Any, si("m/s", ("n",))] | None = None
    """The rates of the modal coordinates at the start [m/s]. Default: zero."""

    @model_validator(mode="before")
    @classmethod
    def _read(cls, data: Any) -> Any:
        if isinstance(data, dict) and data.get("file") is not None:
            data = files.fill(data)
        if isinstance(data, dict) and data.get("propellant") is None:
            levels.refuse_rows(data)
        return data

    @model_validator(mode="after")
    def _check(self) -> ModalBody:
        for field in ("modes", "file_length"):
            if getattr(self, field) is not None:
                raise Refused((field, f"'{field}' is set without 'file'. Set 'file', or remove '{field}'"))
        if not isinstance(self.frequency, np.ndarray):
            return self
        if self.propellant is not None:
            self._settle(**levels.spread(self))
        count = self.count
        if not 1 <= count <= MOST_MODES:
            raise Refused(
                ("frequency", (f"'frequency' has {count_text(count, 'modes')}; allowed: 1 to {MOST_MODES}"))
            )
        wrong = [*self._wrong_sizes(count)]
        wrong = wrong or [*levels.doubtful(self.at_levels)]
        if wrong:
            raise Refused(*wrong)
        if self.propellant is not None:
            self._settle(**levels.match_fields(self))
        return self

    def _wrong_sizes(self, count: int) -> Iterator[tuple[str, str]]:
        """Yield (field, fault) of arrays whose size does not match the number of modes, and of repeated
        points."""
        for field in ("coordinate", "rate", *(() if self.propellant is not None else ("mass", "damping"))):
            found = getattr(self, field)
            least = (1, count) if field in ("mass", "damping") else (count,)
            if found is not None and len(found) not in least:
                numbers = count_text(len(found), "numbers")
                yield (
                    field,
                    f"'{field}' has {numbers}. Give one number for each of {count_text(count, 'modes')}",
                )
        names = [point.name for point in self.points]
        for k, point in enumerate(self.points):
            if point.name in names[:k]:
                yield (
                    f"points.{k}.name",
                    f"'{point.name}' is also the name of another point. Rename one of the two points",
                )
            for field in ("shape", "turn"):
                rows = getattr(point, field).shape[self.propellant is not None]
                if rows != count:
                    yield (
                        f"points.{k}.{field}",
                        f"'{field}' has {count_text(rows, 'rows')}. Give one row for each of "
                        f"{count_text(count, 'modes')}",
                    )
            if point.grid is not None:
                text = "'grid' is set without a punch file. Set 'file', or remove 'grid'"
                yield f"points.{k}.grid", text

    @property
    def at_levels(self) -> tuple[ModeSet, ...]:
        """The modes at each propellant level, the highest level last. A body of constant mass has one
        level.
        """
        return levels.of(self)

    @property
    def trim_limitation(self) -> str:
        """The reason why a trim does not change the modal coordinates, as text."""
        return "starts with its declared `coordinate`, and oscillates if this is not an equilibrium"

    @property
    def count(self) -> int:
        """The number of modes."""
        return self.frequency.shape[self.propellant is not None]

    @property
    def changing(self) -> bool:
        """True, because modes add states to the equations."""
        return True


KINDS = {"forces": (ModalBody,)}

"""Modal bodies in flight: checks of the start, notes on legs, and quantities.

The equations are in `engine.flexible`, for all flexible bodies. The modes of draining bodies are in
`flown_draining`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...engine.contract import ChecksStart, Makers
from ...engine.flexible.mode_numbers import along
from ...maths.arrays import jnp
from ...maths.vectors import add_axes, norm
from ...tree.errors import Problem
from .declared import ModalBody
from .flown_draining import DrainingModes
from .quantities import modal_quantities


class ModalBodies(DrainingModes, ChecksStart):
    """All flexible bodies with modes."""

    name = "modal"
    kinds = (ModalBody,)

    def start_values(self, mechanism: Any, motion: Any) -> Any:
        """Return the distance of each node beyond the reach of its point [m], and the excess of propellant
        above the highest level [kg] (node or body, *cases)."""
        scenario, lanes = mechanism.scenario, motion.position.ndim - 2
        place, declared = jnp.asarray(self.modes(mechanism).place), self.of(scenario)
        rows = []
        for row, (attachment, k) in enumerate(zip(self.attachments, self.owners, strict=True)):
            at = jnp.asarray(attachment.point(scenario))
            away = norm(place[:, row] - add_axes(at, 1 + lanes))
            rows.append(away - add_axes(jnp.asarray(declared[k].reach), lanes))
        rows += self.above(mechanism, lanes)
        whole = [jnp.broadcast_to(row, motion.position.shape[2:]) for row in rows]
        return jnp.stack(whole) if rows else None

    def doubtful_cases(self, start: Any, found: Any) -> Any:
        """Return the cases with nodes out of reach or propellant above the levels."""
        return None if found is None else np.any(np.asarray(found) > ROUNDING, axis=0)

    def start_problems(self, start: Any) -> Iterator[Problem]:
        """Yield the faults of a start. The faults of a single flight are already found by the check of the
        scenario."""
        found = start.own.get(self.name)
        rows = [] if found is None else [float(row) for row in np.asarray(found)]
        for one, k, over in zip(self.attachments, self.owners, rows):
            if over > ROUNDING:
                text = (
                    f"this attachment is {over:.4g} m beyond the reach of the nearest point of the "
                    f"modes {self.items[k].name}"
                )
                place = f"{one.group}.{one.item.name}.{one.field}"
                yield Problem(place, f"{text}. Add a point at this position, or increase reach")
        for k, over in zip(self.draining, rows[len(self.attachments) :]):
            if over > ROUNDING:
                text = (
                    f"the highest level is {over:.6g} kg below the initial propellant of"
                    f" '{self.items[k].body}'"
                )
                yield Problem(
                    f"forces.{self.items[k].name}.propellant",
                    f"{text}. Add modes at this level, or reduce the propellant",
                )

    def dropped_notes(self, here: Any, other: Any, bodies: Any, begins: bool) -> Iterator[str]:
        """Yield notes on bodies whose modes end or begin here: energy of the modes, and largest displacement
        of an attachment."""
        known = {item.name for item in other.items} if other is not None else set()
        moved = norm(along(self.modes(here.mechanism).phi, self.coordinates(here.own(self.name))[0]))
        strain, motion = self.energies(here)
        energy = strain + motion
        for k, item in enumerate(self.items):
            if item.name in known or item.body not in bodies:
                continue
            off = np.max(moved[[on == k for on in self.owners]], initial=0.0)
            does = "becomes flexible and gains" if begins else "becomes rigid and loses"
            joules = float(np.sum(energy[self.modes_of(k)]))
            text = f"'{item.body}' {does} the {joules:.4g} J of modal energy of {item.name}"
            yield f"{text}. The attachments of {item.name} move by up to {off:.4g} m" if off else text

    def quantities(self) -> Makers:
        """Return the quantities of each body, its modes and points."""
        return modal_quantities(self)


ROUNDING = 1e-12
"""The rounding tolerance of distances beyond `reach` [m]."""

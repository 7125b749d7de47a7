"""The model of flexible bodies with modes during a flight: checks of the initial state, notes at mission
legs, and output quantities.

Package `engine.flexible` contains the equations of all flexible bodies. Module `flown_draining` contains the
modes of draining bodies.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...engine.contract import ChecksStart, Makers
from ...engine.flexible.modal_stiffness import along
from ...maths.arrays import jnp
from ...maths.vectors import add_axes, norm
from ...tree.errors import Problem
from .declared import ModalBody
from .flown_draining import DrainingModes
from .quantities import modal_quantities


class ModalBodies(DrainingModes, ChecksStart):
    """Model of all flexible bodies with modes."""

    name = "modal"
    kinds = (ModalBody,)

    def start_values(self, mechanism: Any, motion: Any) -> Any:
        """Return values that are positive for an invalid initial state (attachment + draining body, *cases).

        The values are the distances of the attachments beyond the reach of the nearest point [m], then the
        excess of the propellant above the highest level [kg].

        For the parameters, see `ChecksStart.start_values`.
        """
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
        """Return whether a case has an attachment out of reach, or propellant above the highest level
        (cases,), bool. For the parameters, see `ChecksStart.doubtful_cases`.
        """
        return None if found is None else np.any(np.asarray(found) > ROUNDING, axis=0)

    def start_problems(self, start: Any) -> Iterator[Problem]:
        """Yield the problems of the initial state: attachments out of reach, and propellant above the highest
        level. For a single flight, the check of the scenario has already reported them. For the parameters,
        see `Part.start_problems`.
        """
        found = start.own.get(self.name)
        rows = [] if found is None else [float(row) for row in np.asarray(found)]
        for one, k, over in zip(self.attachments, self.owners, rows):
            if over > ROUNDING:
                text = (
                    f"the distance of this attachment from the nearest point of the modes "
                    f"'{self.items[k].name}' is {over:.4g} m above 'reach'"
                )
                place = f"{one.group}.{one.item.name}.{one.field}"
                yield Problem(
                    place, f"{text}. Add a point at the position of the attachment, or increase 'reach'"
                )
        for k, over in zip(self.draining, rows[len(self.attachments) :]):
            if over > ROUNDING:
                text = (
                    f"the highest propellant level with modes is {over:.6g} kg below the initial propellant"
                    f" mass of '{self.items[k].body}'"
                )
                yield Problem(
                    f"forces.{self.items[k].name}.propellant",
                    f"{text}. Add modes at the initial propellant mass, or reduce the propellant",
                )

    def dropped_notes(self, here: Any, other: Any, bodies: Any, begins: bool) -> Iterator[str]:
        """Yield a note for each body that becomes rigid or flexible at a mission leg. The note states the
        energy of the modes and the largest displacement of an attachment. For the parameters, see
        `HasState.dropped_notes`.
        """
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
        """Return the functions that make the quantities of each flexible body, its modes and its points, by
        path.
        """
        return modal_quantities(self)


ROUNDING = 1e-12
"""Excesses up to this number are rounding errors: distances [m] beyond the reach, and propellant [kg] above
the highest level.
"""

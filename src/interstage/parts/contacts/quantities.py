"""Output quantities of contacts."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ...engine.contract import Makers
from ...engine.here import Here
from ...engine.layout import Layout
from ...engine.quantity import Quantity, scalar_quantity, vector_quantity
from ...maths.arrays import jnp

if TYPE_CHECKING:
    from .flown import Touch


def contact_quantities(layout: Layout) -> Makers:
    """Return the functions that make the quantities of each contact, by path. Contacts of bodies that are not
    in the mechanism are omitted.
    """
    return {
        f"contacts.{contact.name}": partial(_of, layout, k)
        for k, contact in enumerate(layout.scenario.contacts)
        if {*layout.bodies} >= {contact.body, contact.other}
    }


def _of(layout: Layout, k: int) -> dict[str, Quantity]:
    """Return the quantities of contact k."""
    body = layout.scenario.contacts[k].body
    least = "smallest distance of its points from the surfaces, negative inside"
    found = {
        "gap": scalar_quantity("m", least, lambda m: jnp.min(touch(m, k).gap, 0)),
        "depth": scalar_quantity("m", "largest depth", lambda m: _deepest(touch(m, k))),
        "touching": scalar_quantity("1", "number of points that touch", lambda m: _number(m, k)),
        "normal_force": scalar_quantity(
            "N", "sum of the normal forces", lambda m: jnp.sum(jnp.maximum(touch(m, k).normal, 0.0), 0)
        ),
        "friction_force": scalar_quantity("N", "sum of the friction forces", lambda m: touch(m, k).friction),
        "force": vector_quantity("N", f"force on {body}", "inertial", "", lambda m: touch(m, k).force),
        "torque": vector_quantity(
            "N m",
            f"torque on {body}",
            f"{body} structural axes",
            "centre of mass",
            lambda m: touch(m, k).torque,
        ),
        "power": scalar_quantity("W", "power of the contact on both bodies", lambda m: touch(m, k).power),
        "energy": scalar_quantity("J", "energy stored", lambda m: touch(m, k).stored),
    }
    if layout.parts["contacts"].states:
        found["lost"] = scalar_quantity("J", "energy dissipated since the start", lambda m: _lost(m)[k])
    return found


def touch(m: Here, k: int) -> Touch:
    """Return the loads of one contact at the present time. k: index of the contact."""
    return m["contacts"].touches[k]


def _number(m: Here, k: int):
    layout = m.equations.layout
    acts = layout.acting(layout.scenario.contacts[k], m.discrete)
    return jnp.sum(m.discrete.own["contacts"][layout.parts["contacts"].forms[k].rows], 0) * acts


def _deepest(now: Touch):
    return jnp.maximum(-jnp.min(now.gap, 0), 0.0)


def _lost(m: Here):
    """Return the energy lost in each contact since the start (contact, *cases) [J]; see
    `engine.mechanism.slope`."""
    return m.own("contacts")

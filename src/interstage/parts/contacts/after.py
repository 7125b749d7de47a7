"""After a flight, add the time histories of contacts to the record, and warn about inaccurate contacts. The
time histories contain force peaks that samples can miss.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...maths.arrays import jnp
from ...quantities.catalogue import catalogue
from ...record.record import Record, timeline
from . import law as contact_law

if TYPE_CHECKING:
    from ...observation.after import Flown

PARTS = 12
"""The number of intervals into which an integration step with contact is divided, to find the force peak."""
INSIDE = 1e-6
"""If the depth [m] at the first time of a contact exceeds this number, the points were inside the surface
when the contact began to act. The start of a normal touch is located more accurately.
"""
CENTRE = 1e-6
"""If a point is nearer to the middle of a wall than this fraction of half the thickness, its outward
direction is not unique.
"""
MOST_STATES = 20000
"""The maximum number of evaluated states of one contact. If there are many integration steps, each is divided
into fewer intervals. If there are more steps than this number, some steps are skipped.
"""


def add(flown: Flown) -> None:
    """Add the time histories of all contacts that touched, and warnings about them, to the record of a
    flight.
    """
    layout, track, record = flown.layout, flown.track, flown.record
    for number, contact in enumerate(flown.scenario.contacts):
        form = layout.parts["contacts"].forms[number]
        touching = np.asarray(track.discrete.own["contacts"])[:, form.rows].any(axis=1)
        touching = touching & (np.asarray(layout.acting(contact, track.discrete)) > 0)
        steps = np.flatnonzero(touching & (track.t_end > track.t))
        if not steps.size:
            continue
        path = f"contacts.{contact.name}"
        times, found = _inside(flown, _with_neighbours(steps, track), path)
        record.courses[path] = _course(record, path, times, found)
        record.warnings += _warnings(flown, number, steps)


def _with_neighbours(steps: np.ndarray, track: Any) -> np.ndarray:
    """Return steps with their preceding and following steps, because samples may not separate two touches."""
    long = np.flatnonzero(track.t_end > track.t)
    seen = np.isin(long, steps)
    seen[:-1] |= np.isin(long, steps)[1:]
    seen[1:] |= np.isin(long, steps)[:-1]
    return long[seen]


def _inside(flown: Flown, steps: np.ndarray, path: str) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return times [s] within steps and at their ends, and the quantities of a contact at these times, by the
    last part of their paths."""
    steps = steps[:: -(-len(steps) // MOST_STATES)]
    parts = max(1, min(PARTS, MOST_STATES // len(steps)))
    part = np.tile(np.arange(parts + 1) / parts, len(steps))
    rows = np.repeat(steps, parts + 1)
    track = flown.track
    h = part * (track.t_end - track.t)[rows]
    names = [name for name in catalogue(flown.layout.scenario) if name.startswith(f"{path}.")]
    found = flown.within(rows, h, names)
    # The exact end, because rounding could place it after the start of the next step.
    times = np.where(part == 1, track.t_end[rows], track.t[rows] + h)
    return times, {name.removeprefix(f"{path}."): value for name, value in found.items()}


def _course(record: Record, path: str, times: np.ndarray, found: dict[str, np.ndarray]):
    """Return the quantities of a contact at the samples, at both sides of events, and at the times in
    between."""
    course, order = {}, np.empty(0, int)
    own = times
    for name, values in found.items():
        sampled, known = timeline(record, f"{path}.{name}")
        own = np.concatenate([sampled, times])
        order = np.argsort(own, kind="stable")
        course[name] = np.concatenate([known, values])[order]
    return own[order], course


def _warnings(flown: Flown, number: int, steps: np.ndarray) -> list[str]:
    """Return the warnings about a contact that acted."""
    track, record = flown.track, flown.record
    contact, form = flown.scenario.contacts[number], flown.layout.parts["contacts"].forms[number]
    course = record.courses[f"contacts.{contact.name}"][1]
    took = float((track.t_end - track.t)[steps].sum())
    peak, depth = float(course["normal_force"].max()), float(course["depth"].max())
    text = (
        f"Contact '{contact.name}': {contact.body} first touches {contact.other} at {track.t[steps[0]]:.6g} s"
    )
    times = record.courses[f"contacts.{contact.name}"][0]
    inside = float(course["depth"][times == track.t[steps[0]]].max(initial=0.0))
    begun = f", with an initial depth of {inside:.3g} m" if inside > INSIDE else ""
    text += f"{begun}. The total duration is {took:.3g} s, the largest normal force {peak:.4g} N, and the"
    text += (
        f" largest depth {depth:.3g} m. The force is about proportional to sqrt(stiffness), and the duration"
        " to 1/sqrt(stiffness)."
    )
    found = [f"{text} Only the declared points and surfaces can touch."]
    ready = contact_law.contact_numbers(form, contact, flown.scenario.bodies)
    limit = float(jnp.min(contact_law.reach(ready, form)))
    if depth > limit * (1 - CENTRE):
        text = f"Contact '{contact.name}': the depth of {depth:.3g} m exceeds {limit:.3g} m, half of the"
        text += " thickness of the thinnest surface. A deeper point leaves the surface on the other side."
        found.append(f"{text} Increase the stiffness.")
    return found

"""Puts the peaks of contacts, which samples may miss, and a warning of what they are worth, into a record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...maths.arrays import jnp
from ...quantities.catalogue import catalogue
from ...record.record import Record, timeline
from . import law as contact_law

if TYPE_CHECKING:
    from ...flight.after import Flown

PARTS = 12
"""Into how many parts a step in which something touches is divided for its peak."""
INSIDE = 1e-6
"""Depth [m] from which on something was inside when a contact began to act: moments of touching are located
to far less."""
CENTRE = 1e-6
"""Part of half of a thickness by which a point may be short of the middle, where no way out is nearest."""
MOST_STATES = 20000
"""States that are looked at for one contact: of many steps, fewer parts each, and of very many every few."""


def add(flown: Flown) -> None:
    """Put the courses of all contacts that acted, and warnings, into the record."""
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
    """Steps, with the one before and the one after each: samples alone may not tell two touches apart."""
    long = np.flatnonzero(track.t_end > track.t)
    seen = np.isin(long, steps)
    seen[:-1] |= np.isin(long, steps)[1:]
    seen[1:] |= np.isin(long, steps)[:-1]
    return long[seen]


def _inside(flown: Flown, steps: np.ndarray, path: str) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Times [s] within steps and at their ends, and the quantities of a contact there, by the last part of
    their paths."""
    steps = steps[:: -(-len(steps) // MOST_STATES)]
    parts = max(1, min(PARTS, MOST_STATES // len(steps)))
    part = np.tile(np.arange(parts + 1) / parts, len(steps))
    rows = np.repeat(steps, parts + 1)
    track = flown.track
    h = part * (track.t_end - track.t)[rows]
    names = [name for name in catalogue(flown.layout.scenario) if name.startswith(f"{path}.")]
    found = flown.within(rows, h, names)
    # The end itself, so that rounding does not put it behind the beginning of the next step.
    times = np.where(part == 1, track.t_end[rows], track.t[rows] + h)
    return times, {name.removeprefix(f"{path}."): value for name, value in found.items()}


def _course(record: Record, path: str, times: np.ndarray, found: dict[str, np.ndarray]):
    """The quantities of a contact over the samples, both sides of events, and the times in between."""
    course, order = {}, np.empty(0, int)
    own = times
    for name, values in found.items():
        sampled, known = timeline(record, f"{path}.{name}")
        own = np.concatenate([sampled, times])
        order = np.argsort(own, kind="stable")
        course[name] = np.concatenate([known, values])[order]
    return own[order], course


def _warnings(flown: Flown, number: int, steps: np.ndarray) -> list[str]:
    """What to say of a contact that acted."""
    track, record = flown.track, flown.record
    contact, form = flown.scenario.contacts[number], flown.layout.parts["contacts"].forms[number]
    course = record.courses[f"contacts.{contact.name}"][1]
    took = float((track.t_end - track.t)[steps].sum())
    peak, depth = float(course["normal_force"].max()), float(course["depth"].max())
    text = f"Contact '{contact.name}': {contact.body} touches {contact.other} from {track.t[steps[0]]:.6g} s"
    times = record.courses[f"contacts.{contact.name}"][0]
    inside = float(course["depth"][times == track.t[steps[0]]].max(initial=0.0))
    begun = f" on, when it is {inside:.3g} m deep already" if inside > INSIDE else " on"
    text += (
        f"{begun}, for {took:.3g} s in all, with up to {peak:.4g} N, {depth:.3g} m deep. Force and duration"
    )
    text += " follow from the declared stiffness (about as its root, and the inverse of that); bodies are"
    found = [f"{text} rigid elsewhere, and only the declared points and surfaces are seen."]
    ready = contact_law.given(form, contact, flown.scenario.bodies)
    limit = float(jnp.min(contact_law.reach(ready, form)))
    if depth > limit * (1 - CENTRE):
        text = f"Contact '{contact.name}': {depth:.3g} m is more than half of the thinnest surface,"
        found.append(f"{text} {limit:.3g} m, from where points are pushed out on the other side; stiffen it.")
    return found

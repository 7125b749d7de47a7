"""Check guidance laws: quantities, environment, and use by phases and control laws."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...environment.us76 import G0
from ...environment.world import is_flat
from ...tree.declaration import Declaration, texts_of, with_values
from ...tree.errors import BadInput, Problem
from ...tree.name_check import unknown
from ...tree.names import Names
from ...tree.units import PURE_UNITS
from ..control.gain_schedule import TIME, units_given, unlike
from .declared import (
    EntryGuidance,
    GlideGuidance,
    GravityTurn,
    IncidenceGuidance,
    PoweredGuidance,
    needs_planet,
    reads,
    reversals_of,
    schedules,
)
from .functions import ELAPSED

if TYPE_CHECKING:
    from ...engine.here import Here
    from ...record.record import Record
    from ...scenario import Scenario

STILL = 1e-3
"""The airspeed [m/s] below which the aerodynamic angles are undefined."""
TO_AIR = IncidenceGuidance, GlideGuidance, EntryGuidance
"""The classes of laws that use aerodynamic angles."""
ABOUT = 1.5
"""A glide counts as flight on the circle if its distance from the site is below this number times the radius
of the circle.
"""
PROFILES = {"speed": "m/s", "energy": "m^2/s^2"}
"""The SI units of the possible independent variables of a drag profile."""
LEVEL_SPEED = 100.0
"""The horizontal speed [m/s] above which the azimuth of an ascent is defined."""
OFF_AZIMUTH = 5.0
"""A warning is printed if a gravity turn deviates from its azimuth by more than this angle [deg]. The
rotation of the Earth alone causes a deviation of one or two degrees.
"""
SAME = 2.0**-30
"""A quantity counts as independent of the attitude if its relative change is below this number, about 1e-9.
Smaller changes are rounding errors.
"""


def problems(
    scenario: Scenario, names: Names, faulty: Mapping[str, list[str]] | None = None
) -> Iterator[Problem]:
    """Yield the problems of guidance laws, except problems of their quantities; see `quantity_problems`.

    - names: all names in the scenario, by group.
    - faulty: names of invalid declarations, by group. References to these names are accepted.
    """
    left_out = faulty or {}
    for law in scenario.guidance:
        place = f"guidance.{law.name}"
        yield from unknown(f"{place}.body", law.body, names.bodies, "body")
        if law.since is not None:
            moments = "phase, event or device's event"
            yield from unknown(f"{place}.since", law.since, (*names.moments, "start"), moments)
        for burn in getattr(law, "burns", ()):
            if burn.begins is not None:
                where = f"{place}.burns.{burn.name}.begins"
                yield from unknown(where, burn.begins, names.moments, "phase, event or device's event")
        if getattr(law, "site", None) is not None and "sites" not in left_out:
            yield from unknown(f"{place}.site", law.site, [site.name for site in scenario.sites], "site")
        if "planet" not in left_out:
            yield from _over_planet(scenario, law, place)
    if scenario.attitude is not None and "guidance" not in left_out:
        yield from unknown("attitude", scenario.attitude, [law.name for law in scenario.guidance], "guidance")


def remarks(scenario: Scenario, pose: Any) -> Iterator[str]:
    """Yield a warning for each guidance law that is not used. `pose` is not used."""
    for law in scenario.guidance:
        others = tuple(one for one in scenario.guidance if one is not law)
        texts = {*texts_of(with_values(scenario, guidance=others))}
        if law.name not in texts and not any(text.startswith(f"guidance.{law.name}.") for text in texts):
            yield (
                f'guidance.{law.name} has no effect: no phase has attitude = "{law.name}", and no control law'
                f' has follows = "{law.name}". Use this guidance law, or remove it.'
            )


def notes(record: Record) -> Iterator[str]:
    """Yield warnings of a finished flight about three situations:

    - A point-mass body at rest uses aerodynamic angles.
    - The bank of a glide stays at its limit on the circle.
    - A gravity turn leaves its azimuth.
    """
    turns = [law for law in record.scenario.guidance if isinstance(law, GravityTurn)]
    for turn in turns:
        yield from _off_azimuth(record, turn) if turn.plane == "free" else ()
    for law in record.scenario.guidance:
        if law.name == record.scenario.attitude and record.scenario.coordinates == "point":
            yield from _at_rest(record, law)
        flown = isinstance(law, GlideGuidance) and f"guidance.{law.name}.bank" in record.series
        # A variable limit is not checked.
        if flown and not isinstance(law.bank_limit, Declaration):
            yield from _too_tight(record, law, float(law.bank_limit))


def _off_azimuth(record: Record, law: GravityTurn) -> Iterator[str]:
    """Warning if a gravity turn has left its azimuth at the end of its last use."""
    speed, angle = (record.series.get(f"bodies.{law.body}.{name}") for name in ("ground_speed", "azimuth"))
    path = record.series.get(f"bodies.{law.body}.flight_path_angle")
    if speed is None or angle is None or path is None:
        return
    steered = np.zeros(len(record.time), bool)
    for start, end in _steering(record, law):
        steered |= (record.time >= start) & (record.time <= end)
    rows = np.flatnonzero(steered & (speed * np.cos(path) > LEVEL_SPEED))
    if not rows.size:
        return
    row, wanted = rows[-1], float(law.azimuth)
    off = np.degrees(np.arctan2(np.sin(angle[row] - wanted), np.cos(angle[row] - wanted)))
    if abs(off) > OFF_AZIMUTH:
        flown, asked = (f"{np.degrees(one) % 360:.4g} deg" for one in (angle[row], wanted))
        yield (
            f"guidance.{law.name}: the azimuth of the flight is {flown} at {record.time[row]:.6g} s, but"
            f" the law commands {asked} ({abs(off):.3g} deg off). Body x follows the airspeed vector. Wind"
            " and the"
            " rotation of the planet change the direction of this vector. To stay in the vertical plane of"
            ' the azimuth, set plane = "fixed".'
        )


def _steering(record: Record, law: GravityTurn) -> Iterator[tuple[float, float]]:
    """Start and end [s] of the phases in which a law gives the attitude of a point-mass body. For rigid
    bodies with a control law that follows the guidance, this is the whole flight."""
    scenario = record.scenario
    if scenario.coordinates != "point":
        followed = any(getattr(control, "guidance", None) == law.name for control in scenario.controls)
        yield from [(-np.inf, np.inf)] if followed else []
        return
    named = {phase.name: phase.attitude for phase in scenario.phases}
    now = scenario.attitude
    for name, start, end in record.phases:
        now = named[name] or now
        if now == law.name:
            yield start, end


def _at_rest(record: Record, law: Any) -> Iterator[str]:
    speed = record.series.get(f"bodies.{law.body}.airspeed")
    to_air = isinstance(law, TO_AIR) or getattr(law, "axes", None) == "air_velocity"
    if speed is not None and to_air and (still := np.flatnonzero(speed < STILL)).size:
        yield (
            f"guidance.{law.name}: the airspeed of '{law.body}' is zero at {record.time[still[0]]:.6g} s. The"
            " aerodynamic angles are then undefined, and the attitude depends on rounding errors. Start"
            " with a"
            ' leg with axes = "local_level", and end this leg when the body moves.'
        )


def _too_tight(record: Record, law: GlideGuidance, limit: float) -> Iterator[str]:
    bank, distance = (record.series[f"guidance.{law.name}.{what}"] for what in ("bank", "distance"))
    speed = record.series[f"bodies.{law.body}.ground_speed"]
    circle = float(law.circle)
    about = distance < ABOUT * circle
    held = about & (np.abs(bank) > (1 - SAME) * limit)
    # Level, tan(bank) = V^2 / (g radius).
    least = speed**2 / (G0 * np.tan(limit))
    tight = held & (least > circle)
    if np.sum(tight) > 2 and np.sum(tight) > np.sum(about) / 2:
        at = float(np.median(speed[tight]))
        yield (
            f"guidance.{law.name}: near the site, the bank was at 'bank_limit', {np.degrees(limit):.3g} deg,"
            f" and the flight left the circle of {circle:.5g} m. At {at:.4g} m/s the smallest possible radius"
            f" is {at**2 / (G0 * np.tan(limit)):.4g} m. Increase circle or bank_limit."
        )


def _over_planet(scenario: Scenario, law: Any, place: str) -> Iterator[Problem]:
    needed = needs_planet(law)
    if needed is not None and scenario.planet is None:
        field, what = needed
        yield Problem(f"{place}.{field}", f'"{what}" needs a planet. Add planet = {{ kind = "earth" }}')
    if isinstance(law, PoweredGuidance):
        yield from _to_orbit(scenario, place)
    if isinstance(law, EntryGuidance):
        yield from _by_drag(scenario, place)
    if getattr(law, "axes", None) == "lvlh" and scenario.planet is not None and is_flat(scenario.planet):
        text = '"lvlh" needs a planet with a centre, but the planet is flat. Set axes = "local_level", or set'
        text += ' planet = { kind = "earth" }'
        yield Problem(f"{place}.axes", text)


def _to_orbit(scenario: Scenario, place: str) -> Iterator[Problem]:
    """Faults of the environment for powered guidance."""
    if scenario.planet is not None and is_flat(scenario.planet):
        yield Problem(
            f"{place}.kind",
            '"upfg" needs a planet with a centre, but the planet is flat. Set planet = { kind = "earth" }',
        )
    if scenario.gravity.kind in ("none", "uniform"):
        text = f'"upfg" needs central gravity, but gravity is "{scenario.gravity.kind}". Set'
        yield Problem(f"{place}.kind", f'{text} gravity = "zonal" or "inverse_square"')


def _by_drag(scenario: Scenario, place: str) -> Iterator[Problem]:
    """Faults of the environment for entry guidance: no atmosphere or no aerodynamics."""
    if scenario.planet is not None and scenario.atmosphere.kind == "none":
        yield Problem(f"{place}.kind", '"entry" needs the drag of an atmosphere. Add atmosphere = "us76"')
    if not scenario.aerodynamics:
        text = '"entry" needs drag and lift, but no body has aerodynamic forces. Declare aerodynamics'
        yield Problem(f"{place}.kind", text)


def quantity_problems(scenario: Scenario, faulty: Mapping[str, list[str]] | None = None) -> Iterator[Problem]:
    """Yield the problems of unknown quantities that guidance laws read.

    faulty: names of invalid declarations, by group. Quantities of these declarations are not checked.
    """
    unsure = {name for group in (faulty or {}).values() for name in group}
    wanted = [
        (law, place, path)
        for law in scenario.guidance
        for place, path in (*reads(law), *(("samples", name) for name in getattr(law, "samples", ())))
        if not unsure.intersection(path.split("."))
    ]
    units = {ELAPSED: "s", TIME: "s"}
    for law, place, path in wanted:
        from ...quantities.catalogue import unit_of  # loads the engine: imported on demand

        try:
            units[path] = unit_of(scenario, path)
        except KeyError as error:
            yield Problem(f"guidance.{law.name}.{place}", str(error.args[0]))
    for law in scenario.guidance:
        for place, text in _in_other_units(law, units):
            yield Problem(f"guidance.{law.name}.{place}", text)


def _in_other_units(law: Any, units: dict[str, str]) -> Iterator[tuple[str, str]]:
    """(field, fault) of numbers whose units do not fit their quantity. units: known units by quantity."""
    for name, one in schedules(law):
        unit = units.get(one.over)
        if unit is None:
            continue
        if text := unlike(one, "points", [unit], one.over):
            yield f"{name}.points", text
        powers = [_per(unit, k) for k in range(len(units_given(one, "coefficients")))]
        if text := unlike(one, "coefficients", powers, one.over):
            yield f"{name}.coefficients", text
    profile = law.drag if isinstance(law, EntryGuidance) else None
    if profile is not None and (text := unlike(profile, "points", [PROFILES[profile.over]], profile.over)):
        yield "drag.points", text
    reversals = reversals_of(law)
    if reversals is not None and (unit := units.get(reversals.quantity)) is not None:
        for field in reversals.any_units:
            if text := unlike(reversals, field, [unit], reversals.quantity):
                yield f"reversals.{field}", text


def _per(unit: str, power: int) -> str:
    """Unit of an angle over a power of a unit."""
    if power == 0 or unit in PURE_UNITS:
        return "rad"
    whole = unit if unit.isalpha() else f"({unit})"
    return f"rad/{whole}" if power == 1 else f"rad/{whole}^{power}"


def loops(scenario: Scenario, as_declared: Callable[[], Here]) -> Iterator[Problem]:
    """Yield the problems of guidance laws whose inputs depend on the attitude that they command.

    as_declared: function that returns the state at the declared start, in which the check is made. The
    scenario must otherwise be valid.
    """
    if not any(True for law in scenario.guidance for _ in reads(law)):
        return
    from ...engine.here import Unmeasured

    start = as_declared()
    stances = start["guidance"]
    for law in scenario.guidance:
        try:
            # In a later leg of a mission the bodies are at the origin, where gravity is not a number.
            with np.errstate(all="ignore"):
                stances[law.name]
        except Unmeasured as error:
            yield Problem(f"guidance.{law.name}", f"the law {error}. Use another quantity")
        except BadInput as error:
            yield from error.problems
    yield from _leaning(scenario, start)


def _leaning(scenario: Scenario, start: Here) -> Iterator[Problem]:
    """Faults of laws of a point-mass body that use a quantity that depends on the attitude of the body."""
    part: Any = start.equations.parts["guidance"]
    steering = [law for law in scenario.guidance if law.name in part.steering and any(reads(law))]
    if not steering:
        return
    from ...engine.here import Unmeasured
    from ...engine.point import pair_of_turns

    instants = pair_of_turns(start)
    for law in steering:
        for field, path in reads(law):
            try:
                one, other = (part.law_and_view(here, law.name)[1].read(path) for here in instants)
            except (Unmeasured, BadInput):  # already reported
                continue
            if np.any(np.abs(other - one) > SAME * (np.abs(one) + np.abs(other))):
                text = (
                    f"'{path}' depends on the attitude that this law commands in point-mass flight. Use time,"
                    ' position or velocity, or set coordinates = "rigid"'
                )
                yield Problem(f"guidance.{law.name}.{field}", text)

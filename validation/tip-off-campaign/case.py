"""Tip-off rate of four springs of one lot: a probability of 1e-5 by two methods, against a closed form."""

import numpy as np

from interstage import load
from interstage.studies.campaign import open_campaign, rare_event
from interstage.studies.verify import Row
from interstage.tree import addresses

from . import ring

QUANTITY = "pairs.stage.satellite.tip_off_rate"
SIGMAS = 4.7985259
"""Rate in sigmas of a Rayleigh distribution with a probability of 1e-5."""
DIRECTIONS = np.radians([0.0, 22.5, 45.0])
SECOND_ORDER = 5e-4
"""Relative error of a rate at 4.8 sigma by the first order in the differences of the springs: products of two
relative differences of up to 3 %, of which most cancel in the sum over the ring."""
SHORT = 2e-4
"""Relative error of the difference to the limit of short strokes, from the second order."""
STANDARD_ERRORS = {"subset simulation": 2.58, "importance sampling": 4.0}
"""For a confidence of 99 %. Failures in all directions alike have rare large weights, so that the coefficient
of variation of importance sampling is too small in some samples."""
VARIATIONS = {"subset simulation": 0.6, "importance sampling": 0.15}
"""Largest coefficients of variation, without which a comparison would show nothing."""


def compare(fly, folder):
    """Rates of single flights, and the probability of the requirement by both methods."""
    scenario = load(folder / "scenario.toml")
    size = SIGMAS * ring.sigma_of_sum()
    for direction in DIRECTIONS:
        rate = flown_rate(fly, scenario, size, direction)
        error = abs(rate / (size * ring.gain(ring.PRELOAD)) - 1)
        yield Row(f"rate at 4.8 sigma, {np.degrees(direction):g} deg, of it", error, SECOND_ORDER)
    for stroke in (ring.STROKE, ring.STROKE / 4):
        changed = addresses.set(scenario, "devices.push.stroke", stroke)
        rate = flown_rate(fly, changed, size, 0.0)
        found = rate / (size * ring.short_gain(ring.PRELOAD, stroke)) - 1
        exact = ring.gain(ring.PRELOAD, stroke) / ring.short_gain(ring.PRELOAD, stroke) - 1
        text = f"of {exact:.2e}"
        yield Row(
            f"stroke of {1e3 * stroke:g} mm: rate over that of short strokes", abs(found - exact), SHORT, text
        )
    opened = open_campaign(folder / "study.toml", load)
    found = rare_event(opened.scenario, opened.campaign, "tip_off", study_folder=folder, progress=False)
    (requirement,) = scenario.requirements
    exact = ring.probability_above(float(requirement.max.magnitude))
    for event in found.events:
        error = abs(np.log(event.probability / exact))
        text = f"{event.probability:.3g} of {exact:.4g}, {event.evaluations} flights"
        yield Row(
            f"{event.method}: log of the ratio of probabilities",
            error,
            STANDARD_ERRORS[event.method] * event.variation,
            text,
        )
        yield Row(f"{event.method}: coefficient of variation", event.variation, VARIATIONS[event.method])
    yield Row("the methods disagree (0: they agree)", float(not found.agree), 0.0)


def flown_rate(fly, scenario, size, direction):
    """Rate of a flight whose springs differ by S = size in one direction."""
    angles = 2 * np.pi * np.arange(ring.SPRINGS) / ring.SPRINGS
    preloads = ring.PRELOAD + 2 / ring.SPRINGS * size * np.cos(angles - direction)
    for k, preload in enumerate(preloads, start=1):
        scenario = addresses.set(scenario, f"devices.push_{k}.preload", preload)
    return fly(scenario).series[QUANTITY][-1]

"""The flight that is made by hand is one that the engine could have flown."""

from __future__ import annotations

import numpy as np
import pytest

import stub_flight
from engine_door import events_of
from interstage.checks.check import problems


def test_its_scenario_is_good_and_its_events_are_those_that_may_happen():
    scenario = stub_flight.flown_scenario()
    assert problems(scenario) == []
    record = stub_flight.separation_record()
    assert {(event.name, event.kind) for event in record.events} < {*events_of(scenario)}


@pytest.mark.parametrize("make", [stub_flight.separation_record, stub_flight.measured_record])
def test_its_series_have_the_components_that_the_engine_gives_them(make):
    record = make()
    for path, meta in record.meta.items():
        for series in (record.series, record.before, record.after):
            assert np.shape(series[path])[1:] == ((len(meta.components),) if meta.components else ()), path

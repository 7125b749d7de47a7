"""Starts from saved flights whose scenario text another program wrote: any content, a valid checksum."""

from __future__ import annotations

import tomllib
from itertools import islice
from typing import Any

import numpy as np
import pytest

import stub_flight
from fuzz import starts
from fuzz._toml import written
from interstage.reading import loads
from interstage.record.results import Flight
from interstage.starts import saved as saved_starts
from interstage.tree.errors import BadInput

RECORD = stub_flight.separation_record(stub_flight.flown_scenario())


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    """The scenario of a flight that starts from a saved one."""
    folder = tmp_path_factory.mktemp("saved")
    Flight(RECORD, versions={"interstage": "0"}).save(folder / "odd.nc")
    return loads(starts.START, folder=folder)


def outcome(text: str, start: Any, monkeypatch: Any) -> Any:
    """The notes of a start from a saved flight with another scenario text, or the error."""
    with monkeypatch.context() as patch:
        patch.setattr(saved_starts, "open_flight", lambda _: Flight(RECORD, text))
        try:
            return saved_starts.place_bodies(start)[1]
        except BadInput as error:
            return error


ODD = {
    "not TOML": "planet = = 3",
    "empty": "",
    "nested deeply": "a = " + "[" * 200 + "]" * 200,
    "a planet of an unknown kind": 'planet = "pluto"',
    "a number as planet": "planet = 3",
    "a list as planet": "planet = [1, 2]",
    "a planet with an odd radius": 'planet = { kind = "sphere", radius = -1 }',
    "no kind of planet": "planet = {}",
    "a date as planet": "planet = 2020-01-01",
    "modes without frequency": 'forces = [{ name = "bends", kind = "modal_body", body = "stage" }]',
    "modes without a name": 'forces = [{ kind = "modal_body", body = "stage", frequency = [30] }]',
    "modes with another key": 'forces.bends = { kind = "modal_body", body = "stage", colour = "red" }',
}
HARMLESS = {
    "a number as wind": "wind = 3",
    "a number as gusts": "wind = { gusts = 3 }",
    "texts as gusts": 'wind = { gusts = ["blow"] }',
    "gusts without names": 'wind = { gusts = [{ kind = "time" }] }',
    "a text as joints": 'joints = "hinge"',
    "numbers as joints": "joints = [1, [2], {}]",
    "names that are numbers": "joints = [{ name = 3, time = [0, 1] }]",
    "a number as forces": "forces = 3",
    "numbers as forces": "forces = [1, {}]",
}


@pytest.mark.parametrize("name", ODD)
def test_odd_texts_are_refused_with_the_file(name, start, monkeypatch):
    error = outcome(ODD[name], start, monkeypatch)
    assert isinstance(error, BadInput), error
    assert "odd.nc" in str(error)
    assert "Traceback" not in str(error)


@pytest.mark.parametrize("name", HARMLESS)
def test_odd_groups_that_no_start_needs_pass(name, start, monkeypatch):
    assert isinstance(outcome(HARMLESS[name], start, monkeypatch), list)


def test_gusts_with_a_table_for_each_are_compared(start, monkeypatch):
    """A saved text may list its entries or have a table for each."""
    gust = tomllib.loads(start.to_toml())["wind"]["gusts"][0]
    for gusts in ([gust], {"blow": {key: value for key, value in gust.items() if key != "name"}}):
        text = written({"planet": "earth", "wind": {"gusts": gusts}})
        (note,) = outcome(text, start, monkeypatch)
        assert "start again: wind.gusts.blow." in note


def test_texts_drawn_at_random(start, monkeypatch):
    """Texts with one to three odd values, keys or tables: notes or a message, never another error."""
    drawn = islice(starts.texts(np.random.default_rng(15)), 100)
    assert {type(outcome(text, start, monkeypatch)) for _, text in drawn} == {list, BadInput}


def test_a_file_with_a_valid_checksum_and_an_odd_text(tmp_path):
    """The whole way: the file is written and read."""
    odd = 'planet = { kind = "sphere", radius = -1 }'
    Flight(RECORD, odd, {"interstage": "0"}).save(tmp_path / "odd.nc")
    scenario = loads(starts.START, folder=tmp_path)
    with pytest.raises(BadInput, match=r"bodies\.stage\.initial: the planet of .*odd\.nc cannot be read"):
        saved_starts.place_bodies(scenario)

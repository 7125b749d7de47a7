"""The playback below a cell of a notebook."""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from types import SimpleNamespace
from typing import Any

import pytest

from interstage.playback.notebook import in_notebook
from interstage.playback.page import html
from interstage.record.results import Flight
from stub_flight import flown_scenario, separation_record

NASTY = 'a "quoted" </iframe><script>alert(1)</script> & more'


@pytest.fixture
def flight() -> Flight:
    record = separation_record(flown_scenario())
    record.scenario = record.scenario.model_copy(update={"title": NASTY})
    return Flight(record, scenario_text="")


@pytest.fixture
def shown(monkeypatch) -> list[dict[str, str]]:
    """What a notebook displays. The modules stand for IPython in a kernel, which the tests do not need."""
    found: list[dict[str, str]] = []

    def display(data: dict[str, str], raw: bool) -> None:
        assert raw
        found.append(data)

    shell = SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(display=display))
    return found


class Elements(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, Any]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.found.append((tag, dict(attrs)))


def test_a_notebook_has_the_page_below_the_cell(flight, shown):
    assert flight.show() is None
    ((tag, attributes),) = Elements(shown[0]["text/html"]).found
    assert tag == "iframe"
    assert attributes["srcdoc"] == html(flight)
    assert NASTY in attributes["title"]
    assert attributes["sandbox"] == "allow-scripts"
    assert NASTY in shown[0]["text/plain"]


def test_elsewhere_the_page_opens_in_the_browser(flight, monkeypatch, tmp_path):
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    path = flight.show()
    assert path is not None
    assert path.read_text() == html(flight)
    assert opened == [path.as_uri()]


@pytest.mark.parametrize("shell", [None, SimpleNamespace()])
def test_a_terminal_is_no_notebook(monkeypatch, shell):
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    assert not in_notebook()

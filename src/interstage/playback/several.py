"""Pages of several flights: from Python and from files."""

from __future__ import annotations

import tempfile
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from . import notebook, page
from .others import OtherFlight, OtherFlights, names_of

if TYPE_CHECKING:
    from ..record.results import Flight


def others_of(
    first: Flight, others: Sequence[Flight], align: str | None = None, names: Sequence[str] = ()
) -> OtherFlights | None:
    """Return other flights for the page of a flight; None without other flights.

    - align: event at which the times are aligned, see `alignment.align`.
    - names: names of all flights for the legend. Default: the titles of their scenarios."""
    if not others:
        return None
    flights = [first, *others]
    for flight in flights:
        flight.read_to_show()
    titles = names_of(names or [str(one.record.scenario.title or "flight") for one in flights])
    made = tuple(OtherFlight(one.record, name) for one, name in zip(others, titles[1:], strict=True))
    return OtherFlights(made, titles[0], event=align)


def show(flight: Flight, units: str | None, others: OtherFlights | None) -> Path | None:
    """Show a page: in a notebook below the cell, otherwise as a temporary file in the browser.

    The path of the file is returned, or None in a notebook."""
    if notebook.in_notebook():
        title = flight.scenario.title or "flight"
        return notebook.display(page.html(flight, units, others), f"Playback of {title}")
    with tempfile.NamedTemporaryFile(prefix="interstage-", suffix=".html", delete=False) as file:
        path = Path(file.name)
    page.write(flight, path, units, others)
    webbrowser.open(path.as_uri())
    return path

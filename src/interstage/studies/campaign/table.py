"""Convert the results of a campaign to a dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .columns import ENVELOPE, INPUT, LIMIT, RESPONSE, TEXTS, VERDICT, elements
from .envelopes import since_text

if TYPE_CHECKING:
    import xarray

    from .result import CampaignResult


def dataset(result: CampaignResult) -> xarray.Dataset:
    """Return the results of all cases as a dataset with the dimension "case". Variables have units in SI.

    An envelope has a second dimension, its name with "_time".
    """
    import xarray

    names = result.manifest.names
    about: dict[str, dict[str, Any]] = {}
    for one in names.inputs:
        about[INPUT + one.name] = {"units": one.unit, "long_name": one.path or one.name}
    for begin, outputs in ((RESPONSE, names.responses), (LIMIT, names.limits)):
        for one in outputs:
            attrs = {"units": one.unit, "long_name": f"{one.quantity}, {one.where}"}
            about[begin + one.name] = attrs | ({one.side: one.limit} if one.side else {})
    for name in names.requirements:
        about[VERDICT + name] = {"flag_values": [1, 0, -1], "flag_meanings": "met broken none"}
    dimensions = {ENVELOPE + one.name: ("case", f"{one.name}_time") for one in names.envelopes}
    coords: dict[str, Any] = {"case": result.case_numbers}
    for one in names.envelopes:
        about[ENVELOPE + one.name] = {"units": one.unit, "long_name": one.quantity}
        time = {"units": "s", "long_name": f"time since {since_text(one)}"}
        coords[f"{one.name}_time"] = (f"{one.name}_time", one.offsets, time)
    variables = {
        name: (
            dimensions.get(name, "case"),
            values.astype(str) if name in TEXTS else values,
            about.get(name, {}),
        )
        for name, values in result.columns.items()
        if name != "case"
    }
    attrs = {"title": result.scenario.title, "summary": result.summary}
    return xarray.Dataset(variables, coords=coords, attrs=attrs)


def rows(result: CampaignResult) -> list[list[Any]]:
    """Return the results as rows of a CSV file: a header, and one row for each case. Each time of an envelope
    is a column of its own.
    """
    flat: dict[str, Any] = {}
    for name, values in result.columns.items():
        parts = elements(name, values.T, 1) if values.ndim > 1 else [(name, values)]
        flat |= {part: own.tolist() for part, own in parts}
    return [[*flat], *map(list, zip(*flat.values(), strict=True))]

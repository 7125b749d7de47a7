"""Convert the results of a campaign to a dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .columns import INPUT, LIMIT, RESPONSE, TEXTS, VERDICT

if TYPE_CHECKING:
    import xarray

    from .result import CampaignResult


def dataset(result: CampaignResult) -> xarray.Dataset:
    """Return the results of all cases as a dataset with the dimension "case". Variables have units in SI."""
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
    variables = {
        name: ("case", values.astype(str) if name in TEXTS else values, about.get(name, {}))
        for name, values in result.columns.items()
        if name != "case"
    }
    attrs = {"title": result.scenario.title, "summary": result.summary}
    return xarray.Dataset(variables, coords={"case": result.case_numbers}, attrs=attrs)

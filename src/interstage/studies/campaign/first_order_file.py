"""The file with the first-order statistics of a campaign, in the folder of its results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from ...tree import guarded_reader
from ...tree.saving import write_file
from .base_inputs import BaseInput
from .chunk_file import NO_SPACE, Stamp
from .first_order import CampaignFirstOrder, FirstOrderResponse

NAME = "derivatives.json"
FORMAT = 1


def write_first_order(folder: Path, found: CampaignFirstOrder, stamp: Stamp) -> Path:
    """Write the statistics under a temporary name and rename the file. Raises BadInput."""
    content = {
        "format": FORMAT,
        **stamp._asdict(),
        "flights": found.flights,
        "inputs": [one._asdict() for one in found.inputs],
        "omitted": dict(found.omitted),
        "responses": [_row(one) for one in found.responses.values()],
    }
    path = folder / NAME
    write_file(path, json.dumps(content, indent=1) + "\n", NO_SPACE)
    return path


def _row(one: FirstOrderResponse) -> dict[str, Any]:
    if one.why:
        return {"name": one.name, "why": one.why}
    return {"name": one.name, "mean": one.mean, "sigma": one.sigma, "shares": one.shares.tolist()}


def read_first_order(folder: Path, stamp: Stamp) -> CampaignFirstOrder | None:
    """The statistics in a folder; None if there are none of this campaign and this version."""
    try:
        found = json.loads(guarded_reader.read_text(folder / NAME, guarded_reader.PROGRESS))
        if (found["format"], found["key"], found["version"]) != (FORMAT, *stamp):
            return None
        inputs = tuple(BaseInput(**one) for one in found["inputs"])
        responses = {one["name"]: _response(one, len(inputs)) for one in found["responses"]}
        return CampaignFirstOrder(inputs, found["omitted"], responses, found["flights"])
    except (
        guarded_reader.Unreadable,
        guarded_reader.Missing,
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
    ):
        return None


def _response(row: dict[str, Any], inputs: int) -> FirstOrderResponse:
    if "why" in row:
        return FirstOrderResponse(row["name"], np.nan, np.nan, np.zeros(inputs), row["why"])
    return FirstOrderResponse(row["name"], row["mean"], row["sigma"], np.array(row["shares"], float))

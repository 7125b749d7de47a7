"""Write and read the file with the first-order statistics of a campaign. The file is in the folder of the
results.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from .base_inputs import BaseInput
from .chunk_file import Stamp
from .first_order import CampaignFirstOrder, FirstOrderResponse
from .json_file import read_json, write_json

NAME = "derivatives.json"
FORMAT = 1


def write_first_order(folder: Path, found: CampaignFirstOrder, stamp: Stamp) -> Path:
    """Write first-order statistics to a file in `folder` and return the path of the file.

    The file has a temporary name until it is complete. Raises BadInput if it cannot be written.
    """
    content = {
        "flights": found.flights,
        "inputs": [one._asdict() for one in found.inputs],
        "omitted": dict(found.omitted),
        "responses": [_row(one) for one in found.responses.values()],
    }
    return write_json(folder / NAME, FORMAT, stamp, content)


def _row(one: FirstOrderResponse) -> dict[str, Any]:
    if one.why:
        return {"name": one.name, "why": one.why}
    return {"name": one.name, "mean": one.mean, "sigma": one.sigma, "shares": one.shares.tolist()}


def read_first_order(folder: Path, stamp: Stamp) -> CampaignFirstOrder | None:
    """Return the first-order statistics in a folder. Return None if the file is missing, damaged, or from
    another campaign or version.
    """
    return read_json(folder / NAME, FORMAT, stamp, _statistics)


def _statistics(content: Any) -> CampaignFirstOrder:
    inputs = tuple(BaseInput(**one) for one in content["inputs"])
    responses = {one["name"]: _response(one, len(inputs)) for one in content["responses"]}
    return CampaignFirstOrder(inputs, content["omitted"], responses, content["flights"])


def _response(row: dict[str, Any], inputs: int) -> FirstOrderResponse:
    if "why" in row:
        return FirstOrderResponse(row["name"], np.nan, np.nan, np.zeros(inputs), row["why"])
    return FirstOrderResponse(row["name"], row["mean"], row["sigma"], np.array(row["shares"], float))

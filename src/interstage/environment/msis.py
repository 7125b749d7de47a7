"""Computation of an NRLMSIS profile for one location before the flight, with the optional package pymsis."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..tree.errors import InterstageError
from .atmosphere import NRLMSIS, Gas, TabulatedAtmosphere

BOLTZMANN = 1.380649e-23
"""Boltzmann constant [J/K] (SI 2019)."""
ALTITUDES = np.concatenate(
    [
        np.arange(0, 20, 0.5),
        np.arange(20, 150, 1.0),
        np.arange(150, 300, 5.0),
        np.arange(300, 1000.1, 20.0),
    ]
)
"""Altitudes [km] at which the profile is computed."""


def profile(model: NRLMSIS) -> TabulatedAtmosphere:
    """Return the profile of an NRLMSIS declaration as a table, from 0 to 1000 km.

    The pressure is n k T, with the number density n of all species, the Boltzmann constant k and the
    temperature T. Raises InterstageError if pymsis is not installed, or if a numeric field has different
    values in the cases. All cases of a batch must use the same profile.
    """
    try:
        import pymsis
    except ImportError:
        raise InterstageError(
            "the NRLMSIS atmosphere needs pymsis. Install it with: pip install 'interstage[msis]'"
        ) from None
    table = pymsis.calculate(
        np.datetime64(model.time),
        math.degrees(_one(model, "longitude")),
        math.degrees(_one(model, "latitude")),
        ALTITUDES,
        [_one(model, "f107")],
        [_one(model, "f107_average")],
        [[_one(model, "ap")] * 7],
        version={"2.1": 2.1, "2.0": 2.0, "00": 0}[model.version],
    ).reshape(len(ALTITUDES), -1)
    species = [v for v in pymsis.Variable if v.name not in ("MASS_DENSITY", "TEMPERATURE")]
    # A species that the model does not know at an altitude is NaN there: there is none of it to speak of.
    number = np.nansum(table[:, [int(v) for v in species]], axis=1)
    temperature = table[:, int(pymsis.Variable.TEMPERATURE)]
    return TabulatedAtmosphere(
        altitude=ALTITUDES * 1e3,
        temperature=np.asarray(temperature, float),
        pressure=number * BOLTZMANN * temperature,
        density=np.asarray(table[:, int(pymsis.Variable.MASS_DENSITY)], float),
        outside=model.outside,
        gas=Gas(),
        density_factor=model.density_factor,
        temperature_factor=model.temperature_factor,
    )


def _one(model: Any, name: str) -> float:
    value = np.asarray(getattr(model, name))
    if value.size != 1:
        raise InterstageError(
            f"NRLMSIS needs the same {name} in all cases, but has {value.size} values. Give one value"
        )
    return float(value.reshape(()))

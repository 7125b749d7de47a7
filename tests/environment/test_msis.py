"""The profile of NRLMSIS over one place."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from engine_door import quickly
from interstage.environment import atmosphere
from interstage.tree.errors import BadInput, InterstageError

MSIS: Any = atmosphere.NRLMSIS


@quickly
def air(model, z) -> Any:
    return atmosphere.air(atmosphere.prepare(model), z)


PLACE = {
    "time": "2024-03-20T12:00",
    "latitude": "28.5 deg",
    "longitude": "-80.6 deg",
    "f107": 150,
    "f107_average": 140,
    "ap": 7,
}


def test_nrlmsis_between_its_knots():
    pymsis = pytest.importorskip("pymsis")
    model = atmosphere.resolve(MSIS(**PLACE, density_factor=1.1))
    z = np.array([0.7, 7.3, 33.1, 71.4, 95.6, 111.3, 122.2, 178.8, 333.3, 777.7])
    direct = pymsis.calculate(np.datetime64(PLACE["time"]), -80.6, 28.5, z, [150], [140], [[7] * 7])
    direct = direct.reshape(len(z), -1)
    found = air(model, z * 1e3)
    np.testing.assert_allclose(found.density, 1.1 * direct[:, 0], rtol=3e-5)
    np.testing.assert_allclose(found.temperature, direct[:, -1], rtol=3e-5)
    number = np.nansum(direct[:, 1:-1], axis=1)
    np.testing.assert_allclose(found.pressure, 1.1 * number * 1.380649e-23 * direct[:, -1], rtol=3e-5)
    mass = atmosphere.molar_mass(found)
    assert mass[0] == pytest.approx(28.96e-3, rel=1e-3)
    assert 3e-3 < mass[-1] < 16e-3
    assert air(model, np.full(10, 1.1e6)).density[0] == 0


def test_nrlmsis_flies_as_a_table_only(monkeypatch):
    model = MSIS(**PLACE)
    with pytest.raises(InterstageError, match="resolve"):
        atmosphere.prepare(model)
    with pytest.raises(BadInput, match="date and time"):
        MSIS(**PLACE | {"time": "noon"})
    monkeypatch.setitem(sys.modules, "pymsis", None)
    with pytest.raises(InterstageError, match="interstage\\[msis\\]"):
        atmosphere.resolve(model)
    standard = atmosphere.USStandard1976()
    assert atmosphere.resolve(standard) is standard

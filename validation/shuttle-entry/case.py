"""The greatest cross-range of a shuttle's entry, without and with a limit of the heating, found by
collocation from a poor start and flown by itself, against published optima."""

import numpy as np

from interstage import load
from interstage.studies.optimization.declared import read_study
from interstage.studies.verify import Row

NEEDS = {"unopy": 'pip install "interstage[optimize]"'}

FOOT = 0.3048
OPTIMA = {"study": (34.1412, 2008.59), "heated": (30.6255, 2198.67)}  # deg, s
LIMIT, WITHIN = 794956.8677558881, 400.0  # W/m^2


def compare(fly, folder):
    """Latitudes, ends, and the heating."""
    for name, (latitude, _) in OPTIMA.items():
        study, _ = read_study(folder / f"{name}.toml")
        found = load(folder / "scenario.toml").optimize(study)
        record = fly(found.scenario)

        def last(quantity, record=record):
            return float(record.before[f"bodies.shuttle.{quantity}"][-1])

        heated = "heated, " if name == "heated" else ""
        yield Row(f"{heated}cross-range [deg]", abs(np.rad2deg(last("latitude")) - latitude), 5e-4)
        yield Row(f"{heated}speed at the end [ft/s]", abs(last("ground_speed") / FOOT - 2500), 0.1)
        angle = np.rad2deg(last("flight_path_angle"))
        yield Row(f"{heated}path angle at the end [deg]", abs(angle + 5), 1e-3)
        if heated:
            most = float(np.max(record.series["heating.edge.heat_rate"]))
            yield Row("heat flux beyond its limit [W/m^2]", max(0.0, most - LIMIT), WITHIN)
        yield Row(f"{heated}is not to be trusted (0: it is)", float(not found.trusted), 0.0)

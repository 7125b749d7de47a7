"""The greatest height that a rocket of given propellant comes to, straight up through air that gets thinner:
full thrust, a singular arc, and coasting, found by collocation from a poor start and flown by itself; against
the published height, and the singular arc against its condition in closed form.

On a singular arc with drag D = sigma v^2 exp(-h/H) and jet velocity c: D (1 + v/c) = m g (H. S. Tsien and
R. C. Evans, Optimum Thrust Programming for a Sounding Rocket, Journal of the American Rocket Society 21,
1951)."""

import numpy as np

from interstage import load
from interstage.studies.optimization.declared import read_study
from interstage.studies.verify import Row

NEEDS = {"unopy": 'pip install "interstage[optimize]"'}

FOOT, SLUG = 0.3048, 14.593902937206364
HEIGHT = 18550.8718638  # ft
G, SIGMA, SCALE, JET = 32.174, 5.49153484923381010e-5, 23800.0, 1580.9425279876559  # ft, slug, s


def compare(fly, folder):
    """The height; the singular arc; that full thrust ends where the arc begins."""
    study, _ = read_study(folder / "study.toml")
    found = load(folder / "scenario.toml").optimize(study)
    record = fly(found.scenario)

    def last(quantity):
        return float(record.before[f"bodies.rocket.{quantity}"][-1])

    yield Row("height [ft]", abs(last("altitude") / FOOT - HEIGHT), 0.01)
    yield Row("propellant left [slug]", abs(last("mass") / SLUG - 1.0), 1e-9)
    begin, end = (next(e.time for e in record.events if e.name == n) for n in ("throttled", "coast"))
    inside = (record.time > begin) & (record.time < end)
    h = record.series["bodies.rocket.altitude"][inside] / FOOT
    v = record.series["bodies.rocket.velocity"][inside, 2] / FOOT
    m = record.series["bodies.rocket.mass"][inside] / SLUG
    drag = SIGMA * v**2 * np.exp(-h / SCALE)
    yield Row(
        "condition of the singular arc", float(np.max(np.abs(drag * (1 + v / JET) / (m * G) - 1))), 1e-3
    )
    yield Row(
        "flown compared with collocation [ft]", abs(found.collocated.seen[0] - last("altitude")) / FOOT, 1e-3
    )
    yield Row("is not to be trusted (0: it is)", float(not found.trusted), 0.0)

"""Makes the picture of the README from the demo: python docs/images/make.py"""

from pathlib import Path

import interstage
from interstage import plots

HERE = Path(__file__).parent

flight = interstage.load(HERE.parents[1] / "examples" / "payload_separation.toml").run()
_, figure = next(plots.figures(flight.record))
figure.savefig(HERE / "payload_separation.png", dpi=130, metadata={"Software": None})

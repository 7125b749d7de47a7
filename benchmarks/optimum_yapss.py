"""The ascent of Delta III by YAPSS, the example that it comes with: prints the mass [kg], and the processor
time of the first solution in a process and the median of further ones [s]."""

import json
import statistics
import time
from importlib import import_module
from typing import Any

from .optimum import AGAIN


def main() -> None:
    """Solve again and again."""
    example: Any = import_module("yapss.examples.delta_iii_ascent")
    took, mass = [], 0.0
    for _ in range(1 + AGAIN):
        begun = time.process_time()
        problem = example.setup()
        problem.ipopt_options.print_level = 0
        mass = float(problem.solve().objective)
        took.append(time.process_time() - begun)
    print("\n" + json.dumps({"mass": mass, "first": took[0], "again": statistics.median(took[1:])}))


if __name__ == "__main__":
    main()

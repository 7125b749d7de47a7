"""Export scenarios as FMUs for co-simulation (FMI 3.0) with `interstage export --fmu`, and run them for a
host simulator.
"""

from __future__ import annotations

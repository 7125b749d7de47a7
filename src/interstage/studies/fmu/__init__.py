"""Scenarios as FMUs for co-simulation (FMI 3.0): the export by `interstage export --fmu`, and the process
that flies."""

from __future__ import annotations

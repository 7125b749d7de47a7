"""Scenarios as FMUs for co-simulation (FMI 3.0): what `interstage export --fmu` writes and what it runs."""

from __future__ import annotations

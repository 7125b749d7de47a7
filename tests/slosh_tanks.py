"""A stage and tanks for the tests of slosh, as texts of a scenario."""

from __future__ import annotations

RADIUS, RHO = 0.6, 1140.0

STAGE = """
[bodies.stage]
mass = 800.0
mass_centre = [2.0, 0.05, 0]
inertia = [500.0, 2000.0, 2100.0]
"""
TANK = """
[bodies.{body}.elements.{name}]
kind = "cylinder"
propellant = {propellant}
density = 1140.0
radius = 0.6
bottom = [{bottom}, 0, 0]
axis = [1, 0, 0]
{more}
[bodies.{body}.elements.{name}.slosh]
"""


def tank(body, name, propellant, bottom, slosh, more=""):
    return TANK.format(body=body, name=name, propellant=propellant, bottom=bottom, more=more) + slosh + "\n"

"""Sensors: points of bodies whose accelerations and angular rates are reported."""

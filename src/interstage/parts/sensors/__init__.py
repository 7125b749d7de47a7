"""Sensors: points with reported accelerations and rates."""

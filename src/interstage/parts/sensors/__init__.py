"""Stations at which accelerations and rates are known."""

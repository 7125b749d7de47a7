"""Compiled programs of a scenario, and the store of compiled programs."""

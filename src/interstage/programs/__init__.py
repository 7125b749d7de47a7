"""Compiled programs of a scenario, and the store that keeps them."""

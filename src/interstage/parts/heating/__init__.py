"""Stagnation-point heating."""

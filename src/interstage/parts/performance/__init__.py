"""Ideal velocity and losses: what engines could do, and where it went."""

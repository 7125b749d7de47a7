"""Resultant loads at interfaces between bodies."""

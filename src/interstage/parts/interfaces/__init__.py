"""Loads at interfaces between bodies."""

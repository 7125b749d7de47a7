"""Represent a mission as an object: its legs in order, and each leg as a separate scenario."""

"""Compute exact derivatives of a flight with respect to the numeric inputs of its scenario."""

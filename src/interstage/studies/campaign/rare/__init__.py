"""Compute the probability of a rare violation of a requirement with two independent methods."""

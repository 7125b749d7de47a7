"""Probability that a requirement is violated, if that is rare: by two methods, on flights."""

"""Guidance laws, which give the commanded attitude of a body."""

"""Guidance laws, which command the attitude of a body."""

"""Guidance laws. A guidance law commands the attitude of one body."""

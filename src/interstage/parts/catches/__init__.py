"""Latches, rails, and hinges that release at an angle."""

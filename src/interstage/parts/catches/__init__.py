"""Latches, rails, and hinges that release."""

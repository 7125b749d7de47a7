"""Declarations in a scenario: bodies, joints, forces, devices, phases and events."""

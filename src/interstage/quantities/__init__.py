"""Outputs by name: of bodies, joints, pairs and the system; outputs of effects are in their packages."""

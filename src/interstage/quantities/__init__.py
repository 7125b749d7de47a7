"""Outputs by name: of bodies, joints, pairs, the whole system; those of effects are in their parts."""

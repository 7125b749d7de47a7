"""Mathematics without vehicle models: arrays, rotations, interpolation, derivatives."""

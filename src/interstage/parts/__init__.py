"""Physical effects, a folder each; what they have in common is said in `contract`."""

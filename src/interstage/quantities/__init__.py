"""Quantities of bodies, joints, pairs and the system, by name. The packages of models have the quantities of
models."""

"""Quantities of bodies, joints, pairs and the system, by name. The packages of parts have the quantities of
parts."""

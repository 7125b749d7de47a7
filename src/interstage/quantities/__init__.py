"""Quantities of bodies, joints, pairs and the system, by name. Quantities of parts are in the packages of the
parts."""

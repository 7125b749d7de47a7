"""Define the quantities of bodies, joints, pairs and the system, by name.

The packages of models define the quantities of their models.
"""

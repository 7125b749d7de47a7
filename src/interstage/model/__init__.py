"""Elements of a scenario: bodies, joints, forces, devices, and the order of phases and events."""

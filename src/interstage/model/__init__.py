"""What a scenario is made of: bodies, joints, forces, devices, and the order in which things happen."""

"""Model of ground impacts: events at which the centre of mass of a body reaches the ground."""

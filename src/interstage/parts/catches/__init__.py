"""Model of latches, rails, and hinges that release at an angle."""

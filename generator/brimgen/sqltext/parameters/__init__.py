"""Where the parameters of a statement stand, and what that says of their types."""

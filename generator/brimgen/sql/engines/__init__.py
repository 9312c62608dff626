"""The checks of statements that databases make."""

"""The checks of statements that need no database."""

"""The conditions of a statement, and what they are while parameters are NULL."""

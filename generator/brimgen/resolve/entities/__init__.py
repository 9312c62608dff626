"""Entities and leaves: inheritance, references between them, and the order to resolve them in."""

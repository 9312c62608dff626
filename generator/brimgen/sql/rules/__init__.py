"""The types, functions and operators of each database."""

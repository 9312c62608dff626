"""Statements: values are bound, statements run, rows decoded."""

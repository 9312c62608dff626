"""Infer the columns and parameters of a statement from sqlglot's tree of it."""

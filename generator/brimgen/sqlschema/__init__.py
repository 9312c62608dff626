"""The schema of a database, and what a statement gives and takes there.

`model` is the schema and what is inferred; it imports no parser. `native_types` reads the names of
column types. The other modules infer, and need sqlglot.
"""

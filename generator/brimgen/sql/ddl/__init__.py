"""Read DDL files into the schema of a database."""

"""The SQL runtime: what the modules of statements in generated packages import."""

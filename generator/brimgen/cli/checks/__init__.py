"""The commands that compare generated files: verify and breaking."""

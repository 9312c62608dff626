"""What a spec leaves to the schema of its database."""

"""Read spec files into positioned nodes."""

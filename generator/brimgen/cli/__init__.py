"""The command line in, an exit code out; the only rooms that print."""

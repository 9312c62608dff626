"""Author's wing 1: spec files in, positioned nodes out."""

"""Author's wing 2: nodes in, declarations out: what was said, not yet what it means."""

"""Compare two published contracts: what changed, and for whom."""

"""T4xx: what a target cannot express."""

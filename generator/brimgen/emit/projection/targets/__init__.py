"""Targets of providers: the tools that they lower, and the descriptor files that they make."""

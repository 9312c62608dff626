"""The commands that build: generate, watch, and those for build systems."""

"""The tool store, and the rules that specs and stored tools must both keep."""

"""The functions that the tools in specs/ name as their handlers."""

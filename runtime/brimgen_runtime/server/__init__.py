"""The runtime of MCP servers: it lists and runs the tools of a package."""

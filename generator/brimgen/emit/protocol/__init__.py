"""Lower a catalog to the lists of MCP, for the MCP target and for the server."""

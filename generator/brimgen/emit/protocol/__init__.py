"""Protocol: what MCP lists of a catalog, for the target that writes it and the server that
serves it.
"""

"""Import SQL statements of other tools: sqlc, aiosql and MCP Toolbox."""

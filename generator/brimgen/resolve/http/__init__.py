"""HTTP tools: URL, query, headers and body as templates, split by position."""

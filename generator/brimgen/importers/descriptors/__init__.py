"""Import descriptors of single tools: OpenAI, Anthropic, MCP and their like."""

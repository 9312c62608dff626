"""The runtime of dispatchers, which answer the tool calls of providers' SDKs."""

"""The HTTP runtime: what the modules of HTTP tools in generated packages import."""

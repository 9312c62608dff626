"""Tools: bodies, options, results, resource paths, and what a profile asks of a tool."""

"""Regular expressions: syntax, linear search, and how long a backtracking engine takes."""

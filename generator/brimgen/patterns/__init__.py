"""Regular expressions: their syntax, which of them are slow, and texts that they find."""

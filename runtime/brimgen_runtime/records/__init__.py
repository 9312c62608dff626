"""Generated classes: their base, and the JSON of their values."""

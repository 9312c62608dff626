"""Format spec files (`brimgen fmt`), keeping their meaning and comments."""

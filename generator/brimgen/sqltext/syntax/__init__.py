"""Find words and operators that a dialect does not have."""

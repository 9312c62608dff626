"""What a statement does: reads, changes, or calls."""

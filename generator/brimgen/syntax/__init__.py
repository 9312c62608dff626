"""Read nodes into declarations, without looking anything up."""

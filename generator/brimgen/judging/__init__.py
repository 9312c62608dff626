"""Whether a schema accepts a value of a spec; patterns that may be slow are not run."""

"""Whether a schema accepts a value of a spec, decided without running its patterns by `re`."""

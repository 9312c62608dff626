"""Ids and times of bundles and tools: from the spec, or generated once and kept in a lock file."""

LOCK_FILE = "brimgen.lock.json"
"""The name of the file that keeps identities; it lies beside the configuration."""

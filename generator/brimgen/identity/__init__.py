"""Who bundles and their tools are, and since when: what specs leave out is said once, and kept."""

LOCK_FILE = "brimgen.lock.json"
"""The name of the file that keeps identities; it lies beside the configuration."""

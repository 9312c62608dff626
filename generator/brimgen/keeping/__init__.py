"""Who bundles and their tools are, and since when: what specs leave out is said once, and kept."""

"""What the package runs on: not for import, ``_runtime`` is its public face."""

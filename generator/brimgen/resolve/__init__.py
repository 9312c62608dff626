"""The stair between the wings: declarations in, one sound Catalog out."""

"""brimgen: from reviewed tool specs to typed Python, JSON Schema, SQL bindings and descriptors."""

__version__ = "0.1.0"

__all__ = ["__version__"]

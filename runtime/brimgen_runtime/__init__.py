"""What the packages that brimgen generates run on; it imports only the standard library."""

__version__ = "0.1.0"

__all__ = ["__version__"]

"""What the packages that brimgen generates run on; it imports only the standard library."""

__version__ = "0.1.0"

__all__ = ["__version__", "made_for"]


def made_for(package: str, version: str) -> str:
    """Return the version of this runtime.

    Raises ImportError if ``package`` was made for a runtime of another minor ``version`` (``0.1``).
    """
    if __version__.split(".")[:2] != version.split("."):
        raise ImportError(
            f"the package {package} was made for brimgen-runtime {version}, but {__version__} is"
            f" installed: run `brimgen generate` again, or install 'brimgen-runtime=={version}.*'"
        )
    return __version__

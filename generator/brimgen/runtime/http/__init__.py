"""The HTTP runtime: what the modules of HTTP tools in generated packages import.

Its modules import the standard library, each other and the package's ``_runtime``, so that they
work here, where they are tested, and in ``<package>/http``.
"""

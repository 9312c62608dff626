"""The views of the module of a statement, and of ``sql/<tool>.json``."""

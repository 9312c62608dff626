"""The internals of the package; import from ``_runtime``, its public interface, instead."""

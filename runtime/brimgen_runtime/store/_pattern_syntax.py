"""The bridge to the package's translator of patterns, apart because a build reads patterns too."""

from __future__ import annotations

from .._runtime.patterns import PatternError, translate

__all__ = ["PatternError", "translate"]

"""How many examples an expensive property gets; the others get what the profile of the run says."""

from __future__ import annotations

from hypothesis import settings


def costs(times: int) -> settings:
    """Settings of a property of which one example takes as long as ``times`` usual ones."""
    return settings(max_examples=max(3, settings.default.max_examples // times))

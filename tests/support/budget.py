"""How many examples a property wants: never fewer than the profile of the run says."""

from __future__ import annotations

from hypothesis import HealthCheck, settings


def at_least(examples: int, *allowed: HealthCheck, cost: int = 1) -> settings:
    """Settings of a property that needs ``examples`` to be worth it, and more in `make fuzz`.

    A number that is written at a test would win over the profile, also over that of `make fuzz`.
    ``cost`` is how many usual examples one of these takes the time of; ``allowed`` are health
    checks that say nothing here.
    """
    usual = [HealthCheck.too_slow, HealthCheck.data_too_large]
    return settings(
        max_examples=max(examples, settings.default.max_examples // cost),
        suppress_health_check=[*usual, *allowed],
    )

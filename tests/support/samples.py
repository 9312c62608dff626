"""A part of many like cases, for `make test`; `make test-all` runs the others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def sampled(cases: Iterable[str], every: int) -> list[Any]:
    """Parameters of a test: one of so many cases in `make test`, the others in `make test-all`."""
    return [
        pytest.param(case, marks=pytest.mark.whole if number % every else ())
        for number, case in enumerate(cases)
    ]

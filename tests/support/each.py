"""Many small checks in one test, which tells all that fail and not only the first."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")


def check_each(cases: Iterable[T], check: Callable[[T], object]) -> None:
    """Call ``check`` with every case; fail with what it said of each case that it refused."""
    cases = list(cases)
    assert cases
    failed = []
    for case in cases:
        try:
            check(case)
        except Exception as error:
            failed.append(f"{case!r:.200}: {type(error).__name__}: {error}")
    assert not failed, f"{len(failed)} of {len(cases)}:\n" + "\n".join(failed)

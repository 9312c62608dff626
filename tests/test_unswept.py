"""The cycle collector is as it was after a build, whatever happens inside."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from brimgen.unswept import unswept


@pytest.fixture(autouse=True)
def _collector() -> Iterator[None]:
    gc.enable()
    yield
    gc.enable()


def test_it_is_off_inside_and_on_behind() -> None:
    with unswept():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_stays_off_where_it_was_off() -> None:
    gc.disable()
    with unswept(), unswept():
        pass
    assert not gc.isenabled()


def test_it_is_on_again_after_a_failure() -> None:
    with pytest.raises(ValueError), unswept():
        raise ValueError
    assert gc.isenabled()

"""How many examples a property gets by default, and the mark by which `make fuzz` finds it."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "test",
    deadline=None,
    max_examples=20,
    print_blob=True,
    suppress_health_check=[
        HealthCheck.data_too_large,
        HealthCheck.filter_too_much,
        HealthCheck.function_scoped_fixture,
        HealthCheck.too_slow,
    ],
)
settings.register_profile("fuzz", settings.get_profile("test"), max_examples=5000)
settings.load_profile("test")


@pytest.fixture(scope="session", autouse=True)
def _own_caches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Processes that tests start share the caches of this run, and no others.

    mypy then reads the standard library once, not once a test.
    """
    with pytest.MonkeyPatch.context() as patch:
        for variable in ("BRIMGEN_CACHE", "MYPY_CACHE_DIR"):
            patch.setenv(variable, str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session", autouse=True)
def _finalizers_at_the_limit_of_recursion() -> Iterator[None]:
    """No test fails for a finalizer of others that ran where it nests a hostile text to the limit.

    Garbage may be collected at any depth: the finalizer, and then pytest's own hook, find no room.
    """
    told = sys.unraisablehook

    def unless_too_deep(problem: sys.UnraisableHookArgs, /) -> None:
        if not issubclass(problem.exc_type, RecursionError):
            told(problem)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "unraisablehook", unless_too_deep)
        yield


@pytest.fixture(
    params=[20, pytest.param(1, marks=pytest.mark.whole)], ids="every-{}".format
)
def step(request: pytest.FixtureRequest) -> int:
    """Of a corpus, `make test` takes one item of so many, and `make test-all` each."""
    return int(request.param)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep the compiled test modules for the next run, also where Python is told to keep nothing.

    Packages that tests generate and change stay uncompiled: they are imported later.
    """
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, False
    try:
        return (yield)
    finally:
        sys.dont_write_bytecode = before


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every Hypothesis test as a property: `make fuzz` runs those with a larger budget."""
    for item in items:
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker("property")

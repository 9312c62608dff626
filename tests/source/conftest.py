"""Every way in which YAML is read, for the tests that ask for them."""

from __future__ import annotations

import pytest
import yaml

from brimgen.source import compose, events


@pytest.fixture(params=["libyaml", "events", "pure"])
def loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Reads as runs do, then by nothing but events, then as on a machine without libyaml."""
    if request.param == "events":
        monkeypatch.setattr(compose, "by_libyaml", lambda places: None)
    if request.param == "pure":
        monkeypatch.setattr(events, "LOADER", yaml.SafeLoader)
    else:
        monkeypatch.setattr(events, "LOADER", yaml.CSafeLoader)
    return str(request.param)

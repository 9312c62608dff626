"""Every way in which YAML is read, for the tests that ask for them."""

from __future__ import annotations

import pytest
import yaml

from brimgen.source import events


@pytest.fixture(params=["libyaml", "pure"])
def loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Reads as runs do, then as on a machine without libyaml."""
    if request.param == "pure":
        monkeypatch.setattr(events, "LOADER", yaml.SafeLoader)
    else:
        monkeypatch.setattr(events, "LOADER", yaml.CSafeLoader)
    return str(request.param)

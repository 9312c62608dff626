"""Both YAML loaders, for the tests that ask for them."""

from __future__ import annotations

import pytest
import yaml

from brimgen.source import events


@pytest.fixture(params=["libyaml", "pure"])
def loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Reads with libyaml, then as on a machine without it."""
    if request.param == "libyaml":
        monkeypatch.setattr(events, "LOADER", yaml.CSafeLoader)
    else:
        monkeypatch.setattr(events, "LOADER", yaml.SafeLoader)
    return str(request.param)

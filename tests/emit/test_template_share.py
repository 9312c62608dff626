"""What recurs in generated files stands in templates, where a reader sees and changes it."""

from __future__ import annotations

import pytest

from brimgen.emit import emitter
from support.template_share import shares, shop


@pytest.mark.parametrize(
    ("target", "least"), [("python", 30), ("server", 80), ("dispatch", 80)]
)
def test_the_text_of_modules_stands_in_templates(target: str, least: int) -> None:
    assert shares(emitter(target), shop())["py"].percent > least

"""docs/configuration.md names every setting that is read, and no other; its examples are sound."""

from __future__ import annotations

import re
from pathlib import Path

from brimgen.api import Diagnostics, Flags, Settings, load_settings
from brimgen.settings.values import SETTINGS

PAGE = Path(__file__).resolve().parents[2] / "docs/configuration.md"
TEXT = PAGE.read_text(encoding="utf-8")


def load(folder: Path, name: str, text: str) -> tuple[Settings, list[str]]:
    (folder / "specs").mkdir(exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    diagnostics = Diagnostics()
    settings = load_settings(Flags(config=folder / name), diagnostics)
    return settings, [each.message for each in diagnostics]


def test_the_page_names_every_setting() -> None:
    rows = set(re.findall(r"(?m)^\| `([A-Za-z_.]+)` \|[^|]*\|[^|]*\|$", TEXT))
    rows |= {f"custom.{name}" for name in re.findall(r"`custom\.(\w+)`", TEXT)}
    assert rows == {
        f"{where}{key}"
        for where, keys in SETTINGS.items()
        for key in keys
        if where != "lint.severity."
    }


def test_the_two_examples_say_the_same(tmp_path: Path) -> None:
    (toml,) = re.findall(r"(?s)```toml\n(.*?)```", TEXT)
    (yaml,) = re.findall(r"(?s)```yaml\n(.*?)```", TEXT)
    one, said = load(tmp_path, "pyproject.toml", toml)
    other, said_too = load(tmp_path, "brimgen.yaml", yaml)
    assert ([], []) == (said, said_too)
    assert one.project == other.project
    assert (one.targets, one.lint) == (other.targets, other.lint)


def test_a_second_document_is_refused(tmp_path: Path) -> None:
    _, said = load(tmp_path, "brimgen.yaml", "package: a\n---\npackage: b\n")
    reason = "it holds more than one document (`---`)"
    assert [f"cannot read the configuration: {reason}"] == said

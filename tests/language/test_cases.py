"""Every spelling of the language has a case: specs, and what brimgen makes and says of them.

The files ``*.cases`` have the form of mypy's: ``[case what a user would lose]``, a spec (further
files follow ``[file NAME]``), and behind ``[out]`` what is said and what `brimgen show` knows.
``[inline …]`` has the arguments of a tool alone.
``BRIMGEN_REGEN=1 pytest tests/language`` writes what is behind ``[out]`` anew.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import indent
from typing import Any, NamedTuple

import pytest

from brimgen import api
from brimgen.api import Diagnostics, Flags, load_settings
from brimgen.emit.catalog_view import catalog_view
from support.case_files import parts, rewrite
from support.cases import is_regenerating, said_about

SETTINGS = "targets: [python, json_schema]\n"
PROBE = "type: python_function\nname: probe\narguments:\n  inline:\n"
LEFT_OUT = {
    *("name", "arguments", "fields", "input_rows", "output_rows", "input_schema"),
    *("bound_schema", "schema", "source", "examples", "used_by", "package"),
}
USUAL = {"kind": "python", "enabled": True, "type": "object", "text": None}
USUAL |= {"additionalProperties": False}


class Case(NamedTuple):
    """One case: where it stands, its files, and what is to come of them."""

    path: Path
    name: str
    files: Mapping[str, str]
    out: str


def _cases() -> Iterator[Case]:
    for path in sorted(Path(__file__).parent.glob("*.cases")):
        name, files = "", dict[str, str]()
        for kind, title, text in parts(path, "case", "inline", "file", "out"):
            if kind == "out":
                yield Case(path, name, files, text)
            elif kind == "file":
                files[title] = text
            else:
                spec = text if kind == "case" else PROBE + indent(text, "    ")
                name, files = title, {"probe.yaml": spec} if text else {}


CASES = list(_cases())


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _rest(of: Mapping[str, Any], *without: str) -> str:
    """The keys of a mapping that say something, in one line."""
    kept = {
        key: value
        for key, value in of.items()
        if key not in {*LEFT_OUT, *without} and USUAL.get(key) != value
        if (value or key == "enabled") and any(_values(value))
    }
    return f" {_json(kept)}" if kept else ""


def _values(value: object) -> list[object]:
    return list(value.values()) if isinstance(value, dict) else [True]


def _type(view: Any) -> str:
    """A type as Python would write it."""
    kind, inner = view["kind"], view["inner"] and _type(view["inner"])
    text = {"list": f"{inner}[]", "map": f"{{{inner}}}", "nullable": f"{inner} | None"}
    if view["fields"]:
        fields = ", ".join(
            f"{each['name']}: {_type(each['type'])}" for each in view["fields"]
        )
        return f"{view['name']}({fields}{', **' + _type(view['extra']) if view['extra'] else ''})"
    if kind == "union":
        return " | ".join(map(_type, view["options"]))
    return text.get(kind, f"{view['name'] or kind}{view['choices'] or ''}")


def _field(view: Any) -> str:
    default = f" = {_json(view['default'])}" if view["has_default"] else ""
    absent = "" if view["required"] or default else " absent"
    hidden = (
        f" from {view['origin']} {view['context_path'] or ''}" if view["hidden"] else ""
    )
    text = f"{view['name']}: {_type(view['type'])}{default}{absent}{hidden}"
    return f"  {text.rstrip()}  {_json(view['schema'])}\n"


def _shown(view: Any) -> str:
    """What templates and `brimgen show` are told of a sound project."""
    text = ""
    for tool in view["tools"]:
        text += f"tool {tool['name']}{_rest(tool, 'returns')}\n"
        text += "".join(map(_field, tool["arguments"]))
        if rest := _rest(tool["input_schema"], "properties"):
            text += f"  input{rest}\n"
        if tool["returns"]:
            text += f"  returns {_type(tool['returns']['type'])}\n"
    for entity in view["entities"]:
        text += f"entity {entity['name']}{_rest(entity)}\n"
        text += "".join(map(_field, entity["fields"]))
        text += f" {rest}\n" if (rest := _rest(entity["schema"], "properties")) else ""
    for each in (*view["enums"], *view["bundles"]):
        text += f"also {each['name']}{_rest(each)}\n"
    return text


def outcome(folder: Path, files: Mapping[str, str], *, linted: bool = False) -> str:
    """What is said of a project, and what it has where nothing is wrong with it."""
    for name, text in {"brimgen.yaml": SETTINGS, **files}.items():
        at = folder / name if name == "brimgen.yaml" else folder / "specs" / name
        at.parent.mkdir(parents=True, exist_ok=True)
        at.write_text(text, encoding="utf-8", newline="")
    found = Diagnostics()
    loaded = load_settings(Flags(config=folder / "brimgen.yaml"), found)
    if found:
        return re.sub(r"[./]*…/", "", said_about(folder / "specs", found))
    built = api.lint(loaded)
    told = [each for each in built.diagnostics if linted or each.rule.code[0] != "L"]
    said = said_about(folder / "specs", told)
    if linted or built.diagnostics.has_errors:
        return said
    return said + _shown(catalog_view(built.catalog, ()))


@pytest.mark.parametrize(
    "case", CASES, ids=lambda case: f"{case.path.stem}-{case.name}"
)
def test_specs_mean_what_they_did(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if is_regenerating():
        made = outcome(tmp_path, case.files, linted=case.path.stem == "lint")
        out = "[out]\n"
        rewrite(case.path, f" {case.name}]", out + case.out, out + made)
        return
    assert case.out == outcome(tmp_path, case.files, linted=case.path.stem == "lint")

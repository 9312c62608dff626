"""What the runtime writes for a class decodes common spellings, and is structure alone."""

from __future__ import annotations

import io
import json
import keyword
import re
import tokenize
from dataclasses import fields
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from brimgen.model.project import Project
from brimgen_runtime.records.record import _BASE
from running.packages import (
    errors,
    imported,
    is_read_fast,
    link,
    write_package,
)

HOSTILE = [
    "it's",
    'a"); raise SystemExit("sentinel"); ("z',
    "o.v = raw",
    "line; import os",
    "{0} {raw} %s \\N{DASH} # noqa",
]


def hostile_specs() -> str:
    """Tools and entities that say a hostile text wherever it is part of what is checked."""
    fields = {
        f"{text} of {kind}": {"type": kind, "required": False, **said}
        for text in HOSTILE
        for kind, said in {
            "string": {"default": text, "pattern": f"^{re.escape(text)}|x$"},
            "Mood": {"x-note": text},
            "Part[]": {"minItems": 1},
            "decimal": {"minimum": 1},
            "date": {},
            "Part?": {},
        }.items()
    }
    hidden = {f"{HOSTILE[0]} hidden": {"type": "string", "from_context": "app.user"}}
    specs: list[dict[str, object]] = [
        {"type": "entity", "name": "Mood", "enum": HOSTILE},
        {
            "type": "entity",
            "name": "Part",
            "fields": {text: {"type": "int"} for text in HOSTILE},
        },
        {
            "type": "python_function",
            "name": "act",
            "description": "Act.",
            "arguments": {"inline": {**fields, **hidden}},
        },
    ]
    return "\n---\n".join(map(json.dumps, specs))


def test_no_text_of_a_spec_is_in_code_that_is_executed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The functions that decode and encode name all that a spec says; they quote none of it."""
    written: list[str] = []

    def kept(text: str, *others: Any) -> CodeType:
        written.append(text)
        made: CodeType = compile(text, *others)
        return made

    monkeypatch.setattr("brimgen_runtime.records.record.compile", kept, raising=False)
    catalog, found = link([hostile_specs()], Project(package="hostile_texts"))
    assert [] == errors(found)
    with imported(write_package(catalog, tmp_path), "hostile_texts") as package:
        tool = package.TOOLS["act"]
        part = dict.fromkeys(HOSTILE, 3)
        sent = {
            f"{HOSTILE[1]} of string": HOSTILE[1],
            f"{HOSTILE[1]} of Mood": HOSTILE[2],
            f"{HOSTILE[0]} of Part[]": [part],
            f"{HOSTILE[4]} of Part?": part,
            f"{HOSTILE[3]} of date": "2026-01-18",
        }
        call = tool.input_type.from_dict(sent)
        assert is_read_fast(tool.input_type, sent)
        assert sent.items() <= call.to_dict().items()
        assert "me" in repr(
            vars_of(tool.bound_type.bind(call, {"app": {"user": "me"}}))
        )
        attributes = {
            each.name
            for cls in (tool.input_type, tool.bound_type, package.Part)
            for each in fields(cls)
        }
    assert 5 <= len(written)
    names = {*keyword.kwlist, *attributes, *_BASE, "CLS", "MISS"}
    for text in written:
        for each in tokenize.generate_tokens(io.StringIO(text).readline):
            assert each.type not in (tokenize.STRING, tokenize.COMMENT), each.string
            if each.type == tokenize.NAME and each.string not in names:
                assert re.fullmatch(OWN_NAMES, each.string), each.string


OWN_NAMES = (
    r"c\d+|k?[vx]+|[enok]|raw|made|type|len|all|map|get|values|items|fromkeys|isoformat|value"
    r"|update|to_dict"
)
"""What the text of these functions says besides attributes and what is bound to `c0`, `c1`, …"""


def vars_of(made: Any) -> dict[str, object]:
    return {each.name: getattr(made, each.name) for each in fields(made)}

"""Run in a CPython of WebAssembly: generate the shop and call it; print what came of it as JSON.

The repository is mounted at /project, the libraries of brimgen at /packages. Two of them are not
what they are elsewhere: PyYAML is the one in Python, which wants quotes around `int?` in flow
mappings where libyaml and YAML 1.2 do not, and `rpds`, which is made of Rust, is stood in for.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import io
import json
import os
import pkgutil
import re
import shutil
import sys
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any

WORK = Path("/work")
UNQUOTED = re.compile(r"(: )(\w+\?)(?=\s*[,}])")


class TrieMap(dict[Any, Any]):
    """What `referencing` uses of the map of `rpds`: each change makes another map."""

    @classmethod
    def convert(cls, value: Mapping[Any, Any]) -> TrieMap:
        return cls(value)

    def insert(self, key: object, value: object) -> TrieMap:
        return TrieMap({**self, key: value})

    def remove(self, key: object) -> TrieMap:
        return TrieMap({each: self[each] for each in self if each != key})

    def update(self, *others: Mapping[Any, Any]) -> TrieMap:  # type: ignore[override]
        return TrieMap({key: each[key] for each in (self, *others) for key in each})


class TrieSet(frozenset[Any]):
    """What `referencing` uses of the set of `rpds`."""

    def insert(self, value: object) -> TrieSet:
        return TrieSet(self | {value})


def stand_in() -> None:
    rpds: Any = types.ModuleType("rpds")
    rpds.HashTrieMap, rpds.HashTrieSet, rpds.List = TrieMap, TrieSet, tuple
    sys.modules["rpds"] = rpds


def generate() -> int:
    """Generate the shop in a copy of the project's specs; return the exit code."""
    for name in ("specs", "db"):
        shutil.copytree(f"/project/{name}", WORK / name)
    for name in ("pyproject.toml", "brimgen.lock.json"):
        shutil.copy(f"/project/{name}", WORK)
    # No ruff runs in WebAssembly, and black writes the same.
    settings = WORK / "pyproject.toml"
    added = '[tool.brimgen]\nformatter = "black"'
    settings.write_text(settings.read_text().replace("[tool.brimgen]", added))
    for spec in WORK.rglob("specs/**/*.yaml"):
        spec.write_text(UNQUOTED.sub(r'\1"\2"', spec.read_text()))
    os.chdir(WORK)
    sys.argv = ["brimgen", "generate", "--format", "concise"]
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            importlib.import_module("brimgen.__main__").main()
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


def answer(calls: list[tuple[str, str]]) -> list[str]:
    """What the decoders of the generated package say of calls."""
    import shop  # type: ignore[import-not-found]

    answers = []
    for tool, text in calls:
        try:
            answers.append(shop.TOOLS[tool].input_type.from_call(text).to_json())
        except shop.InputError as refused:
            answers.append(str(refused))
    return answers


stand_in()
sys.path[:0] = ["/project/generator", "/project/runtime"]
sys.path.append("/packages")
code = generate()
sys.path[:0] = [str(WORK / "out/python")]
found = pkgutil.walk_packages([str(WORK / "out/python")])
modules = [importlib.import_module(each.name).__name__ for each in found]
files = {
    str(each.relative_to(WORK / "out")): hashlib.sha256(each.read_bytes()).hexdigest()
    for each in sorted(WORK.rglob("out/**/*"))
    if each.is_file()
}
print(
    json.dumps(
        {
            "version": sys.version_info[:2],
            "code": code,
            "modules": modules,
            "files": files,
            "answers": answer(json.loads(os.environ["CALLS"])),
        }
    )
)

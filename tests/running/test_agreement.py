"""One law over the corpora: generated code, jsonschema and jsonschema-rs say yes to the same.

`make test` looks at a part of each corpus, `make test-all` at all of it. What the three judge is
the schema that a tool enforces, formats asserted. What is accepted is written and read again, and
the modules are laid out as black does.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import black
import jsonschema
import jsonschema_rs
import pytest

from brimgen.emit.attribute_names import name_attributes
from brimgen.model.catalog import Catalog
from brimgen.model.project import Project
from running.packages import (
    errors,
    imported,
    link,
    standard_spec,
    tool_name,
    verdict,
    without_errors,
    write_package,
)
from runtime.corpora import lines, needs_corpora

PARTS = {
    "bfcl": 12,
    "seal-tools": 12,
    "tau-bench": 1,
    "mcp": 12,
    "flexigpt": 1,
    "genai-toolbox": 4,
    "openapi": 10,
    "maskbench": 40,
    "json-schema-test-suite": 2,
}
"""Of each corpus, `make test` takes one item of so many."""


class Case:
    """A schema of a corpus, and its instances."""

    def __init__(self, name: str, schema: Any, instances: list[Any]) -> None:
        self.name = name
        self.schema = schema
        self.instances = instances


def cases(corpus: str) -> Iterator[Case]:
    """Yield the cases of a corpus, in its order."""
    if corpus == "maskbench":
        for item in lines("maskbench/items"):
            instances = [each["data"] for each in item["tests"]]
            yield Case(item["id"], item["schema"], instances)
    elif corpus == "json-schema-test-suite":
        yield from _suite()
    else:
        items, instances = f"{corpus}/items", f"{corpus}/instances"
        if corpus == "openapi":
            items, instances = "openapi/operations", "openapi/operations.instances"
        told: dict[str, list[Any]] = defaultdict(list)
        for each in lines(instances):
            told[each["id"]].append(each["data"])
        for item in lines(items):
            schema = item.get("schema", item.get("inputSchema"))
            yield Case(item["id"], schema, told[item["id"]])


def _suite() -> Iterator[Case]:
    """Yield the groups of the suite, each below an argument: arguments are an object."""
    for draft in ("draft2020-12", "draft7"):
        for group in lines(f"json-schema-test-suite/{draft}"):
            schema = group["schema"]
            if isinstance(schema, dict):
                inside = {k: v for k, v in schema.items() if k != "$schema"}
                inside = _moved(inside)
                whole = {"type": "object", "properties": {"given": inside}}
                if draft == "draft7":
                    whole["$schema"] = "http://json-schema.org/draft-07/schema#"
                instances = [{"given": each["data"]} for each in group["tests"]]
                yield Case(f"{draft} {group['name']}", whole, instances)


def _moved(schema: Any) -> Any:
    """Return a schema as it refers to its own parts when it stands below ``given``."""
    if isinstance(schema, list):
        return [_moved(each) for each in schema]
    if not isinstance(schema, dict) or isinstance(schema.get("$id"), str):
        return schema
    moved = {key: _moved(each) for key, each in schema.items()}
    ref = schema.get("$ref")
    if isinstance(ref, str) and re.match(r"#(/|\Z)", ref):
        moved["$ref"] = f"#/properties/given{ref[1:]}"
    return moved


class Difference(NamedTuple):
    """What generated code, jsonschema and jsonschema-rs say of an instance."""

    case: str
    said: tuple[bool, bool | None, bool]
    schema: Any
    instance: Any


class Agreement:
    """Generated code beside its oracles, for some cases."""

    def __init__(self, chosen: Sequence[Case], root: Path) -> None:
        names = [tool_name("x", number) for number in range(len(chosen))]
        self.cases = dict(zip(names, chosen, strict=True))
        texts = [
            standard_spec(name, None, each.schema) for name, each in self.cases.items()
        ]
        linked, found = link(texts, Project(package="agree"))
        self.refused = {each.rule.code for each in errors(found)}
        catalog, files = without_errors(linked, found)
        self.catalog: Catalog = name_attributes(catalog)
        self.refusals = len(files)
        self.folder = write_package(self.catalog, root)
        self.count = 0

    def differences(self) -> Iterator[Difference]:
        """Yield where the three do not say the same."""
        with imported(self.folder, "agree") as package:
            for tool in self.catalog.tools:
                schema = json.loads(json.dumps(_plain(tool.enforced_schema)))
                oracles = _oracles(schema)
                input_type = package.TOOLS[tool.name].input_type
                for each in self.cases[tool.name].instances:
                    if not isinstance(each, dict):
                        continue
                    self.count += 1
                    before = json.dumps(each)
                    said = verdict(input_type, each), *(ask(each) for ask in oracles)
                    assert before == json.dumps(each)
                    if said[0]:
                        call = input_type.from_dict(each)
                        assert call == input_type.from_accepted(each)
                        assert call == input_type.from_dict(call.to_dict())
                    if len(set(said)) > 1:
                        name = self.cases[tool.name].name
                        yield Difference(name, said, schema, each)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value


def _oracles(schema: Any) -> tuple[Any, Any]:
    kind = jsonschema.validators.validator_for(
        schema, default=jsonschema.Draft202012Validator
    )
    strict = kind(schema, format_checker=kind.FORMAT_CHECKER)
    fast = jsonschema_rs.validator_for(schema, validate_formats=True)

    def asked(value: Any) -> bool | None:
        """None where its own engine of regular expressions does not know a pattern."""
        try:
            return bool(strict.is_valid(value))
        except re.error:
            return None

    return asked, fast.is_valid


EXPLAINED = {
    "format": "jsonschema leaves some formats to packages that are not installed (uri, hostname, "
    "iri, uri-template, duration), and is lax or strict where the RFCs are not (email, times with "
    "leap seconds or a line end, `regex` as Python has it)",
    "pattern": "jsonschema searches with Python's `re`: `\\d` and `\\w` of all scripts, `$` before "
    "a line end, no `\\c` and `\\p`; ECMA-262 decides",
    "patternProperties": "the same",
    "dependencies": "jsonschema ignores it in 2020-12; the specification lets it be read, and the "
    "authors of such schemas mean it",
}
"""Keywords at which an oracle is known to say otherwise, and why. It is always the same oracle."""


def _explanation(found: Difference) -> str | None:
    """Return the keyword to blame: ours and jsonschema-rs agree, and without it, so do all."""
    ours, _, rust = found.said
    if ours != rust:
        return None
    for word in EXPLAINED:
        stripped = _without(found.schema, word)
        strict, fast = (ask(found.instance) for ask in _oracles(stripped))
        if strict == fast:
            return word
    return None


def _without(schema: Any, word: str) -> Any:
    if isinstance(schema, dict):
        return {
            key: _without(each, word)
            for key, each in schema.items()
            if key != word or not isinstance(each, str | dict)
        }
    if isinstance(schema, list):
        return [_without(each, word) for each in schema]
    return schema


def _assert_laid_out(folder: Path) -> None:
    """Some modules with a line that was laid out by hand, and some of the others."""
    texts = [path.read_text("utf-8") for path in sorted(folder.rglob("*.py"))]
    by_hand = [text for text in texts if "# fmt: skip" in text]
    for modules in by_hand, texts:
        for text in modules[:: len(modules) // 40 + 1]:
            assert text == black.format_str(text, mode=black.Mode())


def _judge(corpus: str, chosen: Sequence[Case], root: Path) -> Agreement:
    agreement = Agreement(chosen, root)
    unexplained = [
        f"{each.case}: {each.said} {str(each.instance)[:200]}"
        for each in agreement.differences()
        if _explanation(each) is None
    ]
    assert [] == unexplained
    _assert_laid_out(agreement.folder / "agree" / "tools")
    assert agreement.refused <= REFUSED.get(corpus, {}).keys()
    assert agreement.refusals <= len(chosen) * 0.12
    assert agreement.count > len(agreement.catalog.tools) / 2
    return agreement


REFUSED = {
    "maskbench": {
        "R344": "a pattern of more than 2000 characters",
        "R364": "a reference leads nowhere",
        "R367": "its root is a list: arguments are an object",
        "R379": "it requires a property that it does not declare: no call could be right",
        "R349": "one short text would keep its pattern busy for ever",
        "R363": "parts of it name another draft than the whole",
        "R431": "a property stands beside `properties`, where it has no effect",
        "S009": "a text of it holds a character that nobody sees",
        "S101": "an escape in it stands for half a character",
    },
    "json-schema-test-suite": {
        "R364": "a reference leads to another document, which is not fetched, or is dynamic",
        "S009": "a name or a text of it holds a character that nobody sees",
    },
}
"""Why schemas are refused at build: the codes of all refusals. In all else, no schema is."""


@needs_corpora
@pytest.mark.parametrize("corpus", PARTS)
def test_the_verdict_is_that_of_two_validators(corpus: str, tmp_path: Path) -> None:
    _judge(corpus, list(cases(corpus))[:: PARTS[corpus]], tmp_path)


@needs_corpora
@pytest.mark.whole
@pytest.mark.parametrize("corpus", PARTS)
def test_every_verdict_is_that_of_two_validators(corpus: str, tmp_path: Path) -> None:
    agreement = _judge(corpus, list(cases(corpus)), tmp_path)
    assert agreement.count >= MOST[corpus]


MOST = {
    "bfcl": 30_000,
    "seal-tools": 20_000,
    "tau-bench": 200,
    "mcp": 15_000,
    "flexigpt": 60,
    "genai-toolbox": 700,
    "openapi": 10_000,
    "maskbench": 5_000,
    "json-schema-test-suite": 1_000,
}
"""So many verdicts are compared at least: a corpus that is not read would agree, too."""

"""What of a tool reaches a model: our profiles beside the toolkits' own descriptors.

    pip install fastmcp openai "pydantic[email]" brimley
    python benchmarks/descriptors.py [--specs specs] [--more benchmarks/tools.yaml]

The tools of a project, and some more, are described by every profile; from the pydantic models of
the same tools (the `models` target) by `openai.pydantic_function_tool` and by FastMCP; and from
their schemas, through its own converter, by Brimley, where these are installed. Each fact of the
canonical schemas (a type, a constraint, a default, a description, that an object is closed) is then
looked for at its place: as a keyword, or in the words of a description. Printed is a table in
Markdown, of what was found.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import inspect
import json
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

CONSTRAINTS = {
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    *("minLength", "maxLength", "pattern", "format", "enum", "const"),
    *("minItems", "maxItems", "uniqueItems"),
}
KINDS = ("types", "constraints", "defaults", "descriptions", "closed objects")
PROFILES = {
    "openai": ("openai/responses.json", "parameters"),
    "openai_azure": ("openai/azure/responses.json", "parameters"),
    "openai_loose": ("openai/loose/responses.json", "parameters"),
    "mcp": ("mcp/tools.json", "inputSchema"),
    "anthropic": ("anthropic/tools.json", "input_schema"),
    "anthropic_strict": ("anthropic/strict/tools.json", "input_schema"),
    "gemini": ("gemini/tools.json", "parametersJsonSchema"),
    "gemini_openapi": ("gemini/openapi/tools.json", "parameters"),
}
Schemas = Mapping[str, Any]

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))


def facts(schema: Any) -> Iterator[tuple[str, str, str, Any]]:
    """Everything that a canonical schema says: kind, place, keyword, value."""
    for place, node in _places(schema, schema, ""):
        for keyword, value in node.items():
            if keyword == "type" and isinstance(value, str):
                yield "types", place, keyword, value
            elif keyword in CONSTRAINTS:
                yield "constraints", place, keyword, value
            elif keyword == "default":
                yield "defaults", place, keyword, value
            elif keyword == "description":
                yield "descriptions", place, keyword, value
            elif keyword == "additionalProperties" and value is False:
                yield "closed objects", place, keyword, value


def _places(node: Any, root: Any, place: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema with its place, which unions and references do not change."""
    if not isinstance(node, dict) or place.count("/") > 12:
        return
    target = str(node.get("$ref", "")).rpartition("/")[2]
    if target:
        found = root.get("$defs", {}).get(target, {})
        yield from _places(found, root, place)
    yield place, node
    for keyword in ("anyOf", "oneOf", "allOf"):
        for each in node.get(keyword, ()):
            yield from _places(each, root, place)
    for name, each in node.get("properties", {}).items():
        yield from _places(each, root, f"{place}/{name}")
    yield from _places(node.get("items"), root, f"{place}/[]")


def survival(canonical: Schemas, described: Schemas) -> dict[str, Counter[str]]:
    """For each kind of fact how many there are, are kept as keywords, and are told in words."""
    found = {kind: Counter[str]() for kind in KINDS}
    for tool, schema in canonical.items():
        said: dict[str, list[dict[str, Any]]] = {}
        other = described.get(tool, {})
        for place, node in _places(other, other, ""):
            said.setdefault(place, []).append(node)
        for kind, place, keyword, value in dict.fromkeys(
            (k, p, w, json.dumps(v)) for k, p, w, v in facts(schema)
        ):
            nodes = said.get(place, [])
            found[kind]["all"] += 1
            if any(_keeps(node, keyword, json.loads(value)) for node in nodes):
                found[kind]["kept"] += 1
            elif any(_tells(node, keyword, json.loads(value)) for node in nodes):
                found[kind]["told"] += 1
    return found


def _keeps(node: Mapping[str, Any], keyword: str, value: Any) -> bool:
    said = node.get(keyword)
    if keyword == "type":
        return isinstance(said, str) and said.lower() == value
    if keyword == "description":
        return isinstance(said, str) and value.strip() in said
    if keyword in ("minItems", "maxItems", "minLength", "maxLength"):
        return said is not None and int(said) == value
    if keyword == "const":
        return bool(said == value or node.get("enum") == [value])
    if keyword.startswith("exclusive") and said is None:
        bound = node.get(keyword.replace("exclusive", "").lower())
        step = 1 if keyword == "exclusiveMinimum" else -1
        whole = str(node.get("type")).lower() == "integer"
        return whole and bound == value + step
    return keyword in node and bool(said == value)


def _tells(node: Mapping[str, Any], keyword: str, value: Any) -> bool:
    words = str(node.get("description", ""))
    if keyword == "format":
        return value in words or "YYYY-MM-DD" in words or "ISO-8601" in words
    if keyword == "enum":
        return all(json.dumps(each) in words for each in value)
    if keyword == "uniqueItems":
        return "no repeated items" in words
    if keyword in CONSTRAINTS or keyword == "default":
        whole = isinstance(value, float) and value.is_integer()
        plain = int(value) if whole else value
        shown = plain if isinstance(plain, str) else json.dumps(plain)
        return str(shown) in words
    return False


def build(specs: Path, out: Path) -> dict[str, Any]:
    """Generate everything into ``out``; return the canonical schemas of callable tools."""

    from brimgen import api
    from brimgen.diagnostics import Diagnostics
    from brimgen.emit.projection.tools import CALLABLE
    from brimgen.model.project import DescriptorOptions
    from brimgen.settings.load import Flags, load_settings

    targets = ("json_schema", "openai", "mcp", "anthropic", "gemini", "models")
    flags = Flags(specs=specs, out=out, targets=targets)
    settings = load_settings(flags, Diagnostics())
    options = DescriptorOptions(profiles=tuple(PROFILES))
    project = replace(settings.project, descriptors=options, targets=targets)
    result = api.generate(replace(settings, project=project))
    return {
        tool.name: json.loads(
            (out / f"json_schema/tools/{tool.name}.input.json").read_text()
        )
        for tool in result.build.catalog.tools
        if tool.enabled and isinstance(tool.body, CALLABLE)
    }


def profile_schemas(out: Path, name: str) -> dict[str, Any]:
    """The schemas of arguments in one profile's file, by tool."""
    path, key = PROFILES[name]
    tools = json.loads((out / path).read_text())
    if isinstance(tools, dict):
        tools = tools["tools"]
    elif "functionDeclarations" in tools[0]:
        tools = tools[0]["functionDeclarations"]
    # A tool that a strict profile cannot say goes out in the other form of its provider.
    return {
        tool["name"]: tool.get(key) or tool.get("parametersJsonSchema") or {}
        for tool in tools
    }


def models_of(out: Path) -> dict[str, Any]:
    """The pydantic models of inputs, by the name of the class in lower case."""
    [path] = out.glob("python/*/models/pydantic.py")
    spec = importlib.util.spec_from_file_location("pydantic_models", path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"cannot import {path}")
    module = importlib.util.module_from_spec(spec)
    sys.modules["pydantic_models"] = module
    spec.loader.exec_module(module)
    return {
        name.removesuffix("Input").lower(): model
        for name, model in vars(module).items()
        if name.endswith("Input")
    }


def pydantic_function_tools(models: Mapping[str, Any]) -> dict[str, Any]:
    """What openai's own helper makes of the models."""
    from openai import pydantic_function_tool

    return {
        tool: pydantic_function_tool(model, name=tool)["function"]["parameters"]
        for tool, model in models.items()
    }


def fastmcp_tools(models: Mapping[str, Any]) -> dict[str, Any]:
    """What FastMCP makes of functions with the fields of the models as parameters."""
    from fastmcp.tools import Tool

    return {
        tool: Tool.from_function(_function(model), name=tool).parameters
        for tool, model in models.items()
    }


def brimley_tools(canonical: Schemas) -> dict[str, Any]:
    """What Brimley makes of the schemas: its converter of JSON Schema, then its MCP provider."""
    from brimley.core.models import SqlFunction
    from brimley.discovery.schema_converter import convert_json_schema_to_fieldspec
    from brimley.mcp.fastmcp_provider import BrimleyProvider

    provider = BrimleyProvider([], None)
    made: dict[str, Any] = {}
    for tool, schema in canonical.items():
        converted = convert_json_schema_to_fieldspec(schema, allow_lossy=True)
        function = SqlFunction(
            name=tool,
            type="sql_function",
            return_shape="void",
            sql_body="SELECT 1",
            arguments={"inline": converted.inline},
        )
        model = provider.build_tool_input_model(function)
        made[tool] = model.model_json_schema()
    return made


def _function(model: Any) -> Callable[..., None]:
    def call(**arguments: Any) -> None:
        del arguments

    fields = sorted(
        model.model_fields.items(), key=lambda item: not item[1].is_required()
    )
    annotations = inspect.get_annotations(model, eval_str=True)
    parameters = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            annotation=annotations[name],
            default=inspect.Parameter.empty if field.is_required() else field.default,
        )
        for name, field in fields
    ]
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {
        parameter.name: parameter.annotation for parameter in parameters
    }
    return call


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    here = Path(__file__).parent
    parser.add_argument("--specs", type=Path, default=Path("specs"))
    parser.add_argument("--more", type=Path, default=here / "tools.yaml")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        out, specs = Path(folder) / "out", Path(folder) / "specs"
        shutil.copytree(given.specs, specs)
        shutil.copy(given.more, specs)
        settings = given.specs.resolve().parent / "pyproject.toml"
        if settings.is_file():
            shutil.copy(settings, folder)
        canonical = build(specs, out)
        made = models_of(out)
        models = {
            tool: made[tool.replace("_", "").lower()]
            for tool in canonical
            if tool.replace("_", "").lower() in made
        }
        contestants = {name: profile_schemas(out, name) for name in PROFILES}
        for name, make, source in (
            ("openai.pydantic_function_tool", pydantic_function_tools, models),
            ("FastMCP", fastmcp_tools, models),
            ("Brimley", brimley_tools, canonical),
        ):
            try:
                contestants[name] = make(source)
            except ImportError:
                print(f"{name} is not installed", file=sys.stderr)
        refusals = {
            name: refused(name, each, out) for name, each in contestants.items()
        }
    if len(models) != len(canonical):
        raise SystemExit(f"no model for {sorted(set(canonical) - set(models))}")
    _print(canonical, contestants, refusals)


def refused(name: str, schemas: Schemas, out: Path) -> str:
    """How many tools that ask for OpenAI's strict mode break a rule of it.

    The rules are read by a judge of the tests that knows nothing of projections. Titles and
    defaults are forgiven: the API is known to let them pass, though Azure refuses defaults.
    """
    judge: Any = importlib.import_module("support.subsets")
    if name == "openai.pydantic_function_tool":
        strict = dict(schemas)
    elif name in ("openai", "openai_azure"):
        tools = json.loads((out / PROFILES[name][0]).read_text())
        asking = {each["name"] for each in tools if each["strict"]}
        strict = {tool: schemas[tool] for tool in asking}
    else:
        return "-"
    wrong = sum(
        bool(judge.openai_refusals(_forgiven(each))) for each in strict.values()
    )
    return f"{wrong} of {len(strict)}"


def _forgiven(node: Any) -> Any:
    if isinstance(node, list):
        return [_forgiven(each) for each in node]
    if not isinstance(node, dict):
        return node
    return {
        key: (
            {name: _forgiven(each) for name, each in value.items()}
            if key in ("properties", "$defs")
            else _forgiven(value)
        )
        for key, value in node.items()
        if key not in ("title", "default")
    }


def _print(
    canonical: Schemas, contestants: Mapping[str, Schemas], refusals: Mapping[str, str]
) -> None:
    totals = survival(canonical, canonical)
    heads = [f"{kind} ({totals[kind]['all']})" for kind in KINDS]
    print(f"{len(canonical)} tools; kept as a keyword + told in words\n")
    print(f"| | {' | '.join(heads)} | refused by strict mode |")
    print(f"|---|{'---|' * len(KINDS)}---|")
    for name, schemas in contestants.items():
        found = survival(canonical, schemas)
        cells = (f"{found[k]['kept']} + {found[k]['told']}" for k in KINDS)
        print(f"| {name} | {' | '.join(cells)} | {refusals[name]} |")


if __name__ == "__main__":
    main()

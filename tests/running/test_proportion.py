"""Output in proportion: a package carries what it uses, and shows its tools to people."""

from __future__ import annotations

import pydoc
from pathlib import Path
from types import ModuleType

import pytest

from brimgen import pipeline
from brimgen.diagnostics import Diagnostics
from brimgen.model.targets import TARGETS
from brimgen.settings.load import Flags, load_settings
from support.project import Built, build

INT_TOOL = """\
type: python_function
name: double
description: Double a number.
arguments:
  inline:
    n: { type: int, description: The number. }
returns: int
"""
DEFAULT = tuple(
    each.name for each in TARGETS if each.default and each.name != "service"
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("int")
    return build(folder, {"double.yaml": INT_TOOL}, targets=DEFAULT)


def generated(folder: Path, configuration: str) -> dict[str, int]:
    """The lines of each file that a project of the tool is generated to."""
    (folder / "specs").mkdir(parents=True)
    (folder / "specs/double.yaml").write_text(INT_TOOL)
    (folder / "brimgen.yaml").write_text(configuration)
    flags = Flags(config=folder / "brimgen.yaml")
    made = pipeline.build(load_settings(flags, Diagnostics()))
    assert made.outputs is not None
    return {each.path: each.data.count(b"\n") for each in made.outputs}


def carried(built: Built) -> set[str]:
    """The modules of the runtime that the package has."""
    folder = f"python/{built.package}/_runtime/"
    paths = (path for path in built.files if path.startswith(folder))
    return {path.removeprefix(folder).removesuffix(".py") for path in paths}


def test_one_tool_of_one_int_carries_the_core_of_the_runtime_only(built: Built) -> None:
    core = {"__init__", "compile", "errors", "json_values", "nodes", "validator"}
    assert core == carried(built)


def test_one_tool_of_one_int_is_few_files_and_lines(tmp_path: Path) -> None:
    files = generated(tmp_path, "package: probe\n")
    runtime = sum(n for path, n in files.items() if "/_runtime/" in path)
    assert len(files) <= 16, sorted(files)
    assert sum(files.values()) <= 2_000
    assert runtime <= 1_765


def test_a_package_of_functions_has_a_service_if_asked(tmp_path: Path) -> None:
    """Alone it runs nothing: the host program has the functions."""
    made = generated(tmp_path / "usual", "package: probe\n")
    asked = generated(
        tmp_path / "asked", "package: probe\ntargets: [default, service]\n"
    )
    assert "python/probe/service.py" in set(asked) - set(made)
    assert not [path for path in made if "_service" in path or "entities" in path]


def test_a_call_of_the_lean_package_is_decoded_and_refused_in_full(
    built: Built,
) -> None:
    kind = built.tool("double").input_type
    assert 3 == kind.from_call('{"n": 3.0}').n
    with pytest.raises(ValueError) as caught:
        kind.from_call({"n": "3", "m": 1})
    told = caught.value.retry_message()  # type: ignore[attr-defined]
    assert '- n: expected integer, got "3"' in told
    assert "- m: unknown argument" in told
    assert told.endswith("double expects: n (integer, required)")


def test_a_package_carries_the_modules_that_its_statements_and_requests_import(
    tmp_path: Path,
) -> None:
    """A statement without entities, lists or pages, and a request without lists, need few."""
    specs = {
        "count.yaml": "type: sql_function\nname: count_orders\ndescription: Count orders.\n"
        "sql: SELECT count(*) AS number FROM orders WHERE id > :id\n"
        "arguments: { inline: { id: int } }\nreturns: Total\n---\n"
        "type: entity\nname: Total\nfields: { number: int }\n",
        "ping.yaml": "type: http_function\nname: ping\ndescription: Ping.\n"
        "allowedHosts: [example.com]\nrequest: { urlTemplate: 'https://example.com/' }\n"
        "returns: string\n",
    }
    built = build(tmp_path, specs, targets=("python", "sql", "http"))
    assert [] == built.codes
    paths = {path.partition(f"python/{built.package}/")[2] for path in built.files}
    spare = {"_entities", "_expand", "_leaf", "_pages", "_refusals", "_untyped"}
    assert not paths & {f"sql/{name}.py" for name in spare}
    assert "http/_styles.py" not in paths
    assert {"sql/_run.py", "sql/_decode.py", "http/_run.py"} <= paths
    assert built.load("sql.count_orders") and built.load("http.ping")


KEYWORDS = {
    "minimum: 1": ("type: int", {"numbers"}),
    "maxLength: 9": ("type: string", {"texts"}),
    "pattern: '^a+$'": ("type: string", {"patterns", "texts"}),
    "enum: [a, b]": ("type: string", {"choices"}),
    "maxItems: 3": ("type: 'int[]'", {"arrays", "numbers"}),
    "format: email": ("type: string", {"net_formats", "texts"}),
    "required: false": ("type: int", {"nulls"}),
}


@pytest.mark.parametrize("keyword", KEYWORDS)
def test_a_keyword_brings_the_module_that_checks_it(
    keyword: str, tmp_path: Path
) -> None:
    kind, expected = KEYWORDS[keyword]
    spec = INT_TOOL.replace("type: int, description", f"{kind}, {keyword}, description")
    built = build(tmp_path, {"double.yaml": spec}, targets=("python",))
    assert [] == built.codes
    assert expected <= carried(built)
    validator = built.load("tools.double")._INPUT
    validator.compile()
    assert validator.findings({"n": object()})


def test_the_front_of_a_package_shows_its_tools(built: Built) -> None:
    package = built.load()
    assert "double" in dir(package) and "double" in package.__all__
    module = package.double
    assert isinstance(module, ModuleType)
    assert module.TOOL is package.TOOLS["double"]
    assert module.DoubleInput(2) == module.DoubleBound(2)
    assert "n" in module.INPUT_SCHEMA["properties"]
    assert (
        "from .tools import double"
        in built.files[f"python/{built.package}/__init__.py"]
    )


def test_help_of_a_package_says_what_its_tools_take(built: Built) -> None:
    text = pydoc.plain(pydoc.render_doc(built.load()))
    assert "class DoubleInput" in text
    assert "Double a number." in text
    assert "DoubleInput(n: 'int')" in text

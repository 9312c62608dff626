"""Every package runs on its own: kinds of tools × targets, with nothing else on the path."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support.checkers import RUNTIME
from support.project import Built, build

KINDS = {
    "function": "type: python_function\nname: double\ndescription: Double a number.\n"
    "arguments: { inline: { n: { type: int, minimum: 1, description: It } } }\n"
    "returns: int\n",
    "sql": "type: sql_function\nname: totals\ndescription: Totals of a day.\n"
    "sql: SELECT count(*) AS number FROM orders WHERE day = :day AND total > :least\n"
    "arguments: { inline: { day: date, least: { type: decimal, default: 1 } } }\n"
    "returns: Total\n---\ntype: entity\nname: Total\nfields: { number: int }\n",
    "http": "type: http_function\nname: track\ndescription: Track a parcel.\n"
    "arguments: { inline: { parcel: { type: string, pattern: '^[A-Z]+$' } } }\n"
    "allowedHosts: [example.com]\n"
    "request: { urlTemplate: 'https://example.com/parcels/${parcel}' }\n"
    "returns: Place\n---\ntype: entity\nname: Place\nfields: { place: string }\n",
    "template": "type: template_function\nname: greet\ndescription: Greet somebody.\n"
    "arguments: { inline: { who: string } }\ntemplate: Hello {{ args.who }}.\n",
    "resource": "type: resource\nname: page\ndescription: A page.\npath: /pages/{number}\n"
    "arguments: { inline: { number: int } }\nreturns: string\n",
}
CALLS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "double": ({"n": 2}, {"n": 0}),
    "totals": ({"day": "2026-01-31"}, {"day": "31.1.2026"}),
    "track": ({"parcel": "AB"}, {"parcel": "ab"}),
    "greet": ({"who": "Ann"}, {"who": 1}),
    "page": ({"number": 3}, {"number": "x"}),
}
"""A call that each tool accepts, and one that it refuses."""

OWN = {
    "function": ("handlers",),
    "sql": ("sql",),
    "http": ("http",),
    "template": ("prompts",),
    "resource": ("resources", "handlers"),
}
PROVIDERS = ("openai", "mcp", "anthropic", "gemini")
EVERYTHING = (
    *("python", "json_schema", *PROVIDERS, "sql", "http", "prompts", "resources"),
    *("handlers", "service", "server", "dispatch", "toolspec", "retries", "bundles"),
)
FOREIGN = ("httpx_transport", "requests_transport")
"""Modules for a library that the user has; nothing imports them unasked."""

SCRIPT = """
import importlib, json, pkgutil, sqlite3, sys

for name, calls in json.load(sys.stdin).items():
    package = importlib.import_module(name)
    walked = pkgutil.walk_packages(package.__path__, f"{name}.")
    for module in sorted(each.name for each in walked):
        if not module.endswith(FOREIGN):
            importlib.import_module(module)
    for tool, (good, bad) in calls.items():
        made = package.TOOLS[tool]
        call = made.input_type.from_call(json.dumps(good))
        assert made.input_type.from_dict(call.to_dict()) == call, (name, tool)
        assert made.bound_type.bind(call) is not None, (name, tool)
        try:
            made.input_type.from_call(bad)
        except package.InputError as error:
            assert f"{tool} expects" in error.retry_message(), (name, tool)
        else:
            raise AssertionError((name, tool))
    for provider in PROVIDERS:
        if hasattr(package.__dict__.get("descriptors"), provider):
            assert getattr(package.descriptors, provider)() is not None
    if f"{name}.service" not in sys.modules:
        continue
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    connection.execute("CREATE TABLE orders (day TEXT, total REAL)")
    connection.execute("INSERT INTO orders VALUES ('2026-01-31', 9)")
    connection.commit()
    runs = {"double": lambda call: 2 * call.n, "page": lambda call: f"Page {call.number}"}
    service = sys.modules[f"{name}.service"].Service(
        connections={"default": connection} if "totals" in calls else {},
        handlers={tool: runs[tool] for tool in runs if tool in calls},
        partial=True,
    )
    for tool, value in {"double": 4, "totals": {"number": 1}}.items():
        if tool in calls:
            assert value == service.call(tool, calls[tool][0]), (name, tool)
    service.close()
"""


def run(packages: dict[str, tuple[Built, list[str]]], folder: Path) -> None:
    """Import all modules of all packages and call their tools, in one new process."""
    root = folder / "python"
    calls: dict[str, dict[str, Any]] = {}
    for built, names in packages.values():
        assert [] == [
            e.message for e in built.diagnostics if e.rule.severity == "error"
        ]
        for path, text in built.files.items():
            if path.startswith("python/"):
                place = root / path.removeprefix("python/")
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(text, "utf-8")
        calls[built.package] = {name: CALLS[name] for name in names}
    lines = f"FOREIGN, PROVIDERS = {FOREIGN}, {PROVIDERS}\nimport sys\n"
    lines += f"sys.path += {[str(root), str(RUNTIME)]!r}\n"
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", lines + SCRIPT],
        input=json.dumps(calls),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert 0 == ran.returncode, ran.stderr


def packages_of(
    folder: Path, targets: dict[str, tuple[str, ...]], kinds: tuple[str, ...]
) -> dict[str, tuple[Built, list[str]]]:
    specs = {f"{kind}.yaml": KINDS[kind] for kind in kinds}
    names = [KINDS[kind].split("name: ")[1].split()[0] for kind in kinds]
    return {
        name: (build(folder / name, specs, targets=chosen), names)
        for name, chosen in targets.items()
    }


def test_a_package_of_all_kinds_runs_with_all_targets_on(tmp_path: Path) -> None:
    run(packages_of(tmp_path, {"all": EVERYTHING}, tuple(KINDS)), tmp_path)


@pytest.mark.whole
@pytest.mark.parametrize("kind", KINDS)
def test_a_package_of_one_kind_runs_with_any_targets(kind: str, tmp_path: Path) -> None:
    own = ("python", *OWN[kind])
    targets = {
        "bare": ("python",),
        "own": own,
        **{
            f"with_{each}": (*own, each) for each in (*PROVIDERS, "toolspec", "retries")
        },
        "described": (*own, *PROVIDERS),
        "called": (*own, "service"),
        "served": (*own, "mcp", "service", "server"),
        "dispatched": (*own, "openai", "anthropic", "service", "dispatch"),
        "all": EVERYTHING,
    }
    run(packages_of(tmp_path, targets, (kind,)), tmp_path)


@pytest.mark.whole
def test_a_package_of_two_kinds_runs(tmp_path: Path) -> None:
    pairs = [(one, two) for one in KINDS for two in KINDS if one < two]
    found: dict[str, tuple[Built, list[str]]] = {}
    for pair in pairs:
        targets = ("python", *{*OWN[pair[0]], *OWN[pair[1]]}, "service", "mcp")
        name = "_".join(pair)
        found |= packages_of(tmp_path, {name: targets}, pair)
    run(found, tmp_path)

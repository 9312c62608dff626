"""Documents of services and long ones: what `import-openapi.cases` cannot hold."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from importers.documents import imported
from support.made import corpus
from support.project import build


@pytest.mark.whole
def test_a_long_document_in_yaml_is_read_and_one_that_repeats_itself_is_not() -> None:
    schema = "".join(
        f"    S{number}: {{type: object, properties: {{a: {{type: string}}}}}}\n"
        for number in range(3000)
    )
    text = f"openapi: 3.1.0\ncomponents:\n  schemas:\n{schema}"
    documents, told = imported("api.yaml", text)
    assert (3000, []) == (len(documents), told)
    levels = "".join(f"x{n}: &x{n} [{f'*x{n - 1},' * 9}]\n" for n in range(1, 9))
    bomb = f"openapi: 3.1.0\nx0: &x0 [1, 1]\n{levels}"
    documents, told = imported("api.yaml", bomb)
    assert ((), ["S109"]) == (documents, [each.split()[1] for each in told])


def test_schemas_and_operations_of_real_services_come_in_or_are_refused() -> None:
    schemas = {each["name"]: each["schema"] for each in corpus("openapi", "entities")}
    text = json.dumps({"openapi": "3.1.0", "components": {"schemas": schemas}})
    documents, told = imported(
        "api.json", text.replace("#/$defs/", "#/components/schemas/")
    )
    codes = {each.split()[1] for each in told}
    assert codes <= {"I706", "I707", "I743"}, codes
    objects = sum("properties" in each for each in schemas.values())
    assert len(documents) > objects * 0.9


def _as_api(item: Mapping[str, Any]) -> dict[str, Any]:
    """The document that an item of the corpus was read from, as far as it tells."""
    schema, http = item["schema"], item["http"]
    required = set(schema.get("required", ()))
    parameters = [
        {"name": name, "in": place, "required": name in required, "schema": each}
        for name, each in schema["properties"].items()
        if (place := http["in"].get(name)) != "body"
    ]
    body = {
        name: each
        for name, each in schema["properties"].items()
        if http["in"].get(name) == "body"
    }
    operation: dict[str, Any] = {"parameters": parameters, "operationId": item["name"]}
    if body:
        needed = [name for name in body if name in required]
        content = {"type": "object", "properties": body, "required": needed}
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": content}},
        }
    path = {http["path"]: {http["method"].lower(): operation}}
    document = {
        "openapi": "3.1.0",
        "servers": [{"url": "https://a.example"}],
        "paths": path,
    }
    document["components"] = {"schemas": schema.get("$defs", {})}
    text = json.dumps(document).replace("#/$defs/", "#/components/schemas/")
    read: dict[str, Any] = json.loads(text)
    return read


def test_operations_of_real_services_keep_their_arguments(tmp_path: Path) -> None:
    refused: list[str] = []
    for number, item in enumerate(corpus("openapi", "operations")[::40]):
        documents, told = imported("api.json", _as_api(item))
        if told:
            refused += told
            continue
        project = build(tmp_path / str(number), {"a.yaml": "---\n".join(documents)})
        (tool,) = project.catalog.tools
        assert set(item["schema"]["properties"]) == set(tool.input_schema["properties"])
        assert set(item["schema"].get("required", ())) == set(
            tool.input_schema.get("required", ())
        )
    assert {each.split()[1] for each in refused} <= {
        "I707",
        "I714",
    }, refused
    assert len(refused) < 5, refused

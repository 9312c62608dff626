"""The OpenAPI document: the seed's routes, and a server that keeps it (S2.29-40; row F10)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from openapi_spec_validator import validate
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    negative_data_rejection,
    positive_data_acceptance,
    response_schema_conformance,
    status_code_conformance,
)

from support.project import Built, build

SPEC = """\
type: entity
name: Node
fields: { name: string, children: { type: "Node[]", default: [] } }
---
type: bundle
name: sums
displayName: Sums
---
type: python_function
name: add
bundle: sums
description: Add.
arguments: { inline: { a: { type: int, minimum: 0 }, b: { type: int, default: 1 } } }
returns: int
---
type: python_function
name: count
arguments: { inline: { tree: Node } }
returns: { inline: { nodes: int } }
---
type: python_function
name: hidden
enabled: false
---
type: resource
name: page
path: /pages/{year}/{slug}
arguments:
  inline:
    year: { type: int, minimum: 2000, maximum: 2100 }
    slug: { type: string, pattern: "^[a-z][a-z-]{0,9}$" }
    language: { type: string, enum: [de, en], default: en }
returns: markdown
---
type: template_function
name: ask
template: Hello
"""

ROUTES = """\
PUT /bundles/{bundleID}
PATCH /bundles/{bundleID}
DELETE /bundles/{bundleID}
GET /bundles bundleIDs includeDisabled pageSize pageToken
PUT /bundles/{bundleID}/tools/{toolSlug}/version/{version}
PATCH /bundles/{bundleID}/tools/{toolSlug}/version/{version}
DELETE /bundles/{bundleID}/tools/{toolSlug}/version/{version}
GET /bundles/{bundleID}/tools/{toolSlug}/version/{version}
POST /bundles/{bundleID}/tools/{toolSlug}/version/{version}/invoke
GET /tools tags bundleIDs includeDisabled recommendedPageSize pageToken
GET /tools/search q includeDisabled pageSize pageToken
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    made = build(
        tmp_path_factory.mktemp("openapi"),
        {"a.yaml": SPEC},
        targets=("python", "service", "resources", "openapi"),
        package="spoken",
    )
    assert [] == made.errors
    return made


@pytest.fixture(scope="module")
def document(built: Built) -> Any:
    return built.json("openapi/openapi.json")


def test_the_official_validator_has_nothing_to_say(document: Any) -> None:
    validate(document)


def test_the_routes_of_the_seed(document: Any) -> None:
    told = []
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method == "servers" or operation["operationId"].startswith(
                ("invoke_", "read_")
            ):
                continue
            asked = [
                p["name"] for p in operation.get("parameters", ()) if p["in"] == "query"
            ]
            told.append(" ".join([method.upper(), path, *asked]))
    assert sorted(ROUTES.splitlines()) == sorted(told)
    assert [{"url": "/tools"}] == document["servers"]


def test_each_tool_that_is_offered_has_a_route(built: Built, document: Any) -> None:
    own = {
        operation["operationId"]: path
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if method != "servers" and "_" in operation["operationId"]
    }
    [bundle] = built.catalog.bundles
    assert {
        "invoke_add": f"/bundles/{bundle.identity.id}/tools/add/version/v1/invoke",
        "invoke_count": "/tools/count/invoke",
        "read_page": "/pages/{year}/{slug}",
    } == own
    add = document["paths"][own["invoke_add"]]["post"]
    assert ("Add.", ["200", "400", "default"]) == (
        add["description"],
        [*add["responses"]],
    )


def test_the_schemas_are_those_that_are_published(built: Built, document: Any) -> None:
    schemas = document["components"]["schemas"]
    tools = {each.name: each for each in built.catalog.tools}
    assert json.loads(json.dumps(tools["add"].input_schema)) == schemas["add.input"]
    assert {"type": "integer"} == schemas["add.output"]
    text = json.dumps(schemas["count.input"])
    assert "#/components/schemas/count.input/$defs/Node" in text
    assert [] == re.findall(r'"#/\$defs', text)


Environ = dict[str, Any]
Start = Callable[[str, list[tuple[str, str]]], Any]


class Server:
    """A WSGI server of the tools and resources, made of nothing but the generated modules."""

    def __init__(self, built: Built, document: Any) -> None:
        self.document = document
        self.package = built.load()
        self.resources = built.load("resources").RESOURCES
        entities = built.load("entities")

        def nodes(tree: Any) -> int:
            assert isinstance(tree, entities.Node)
            return 1 + sum(map(nodes, tree.children))

        handlers = {
            "add": lambda call: call.a + call.b,
            "count": lambda call: {"nodes": nodes(call.tree)},
            "page": lambda call: f"# {call.slug} {call.year} ({call.language})",
        }
        self.service = built.load("service").Service(handlers=handlers)
        self.tools = {
            f"/tools{path}": item["post"]["operationId"].removeprefix("invoke_")
            for path, item in document["paths"].items()
            if item.get("post", {}).get("operationId", "").startswith("invoke_")
        }

    def __call__(self, environ: Environ, start: Start) -> Iterable[bytes]:
        status, kind, body = self.answer(environ)
        start(f"{status} said", [("Content-Type", kind), ("Allow", "GET, POST")])
        return [body.encode()]

    def answer(self, environ: Environ) -> tuple[int, str, str]:
        """Status, content type and body."""
        path = environ["PATH_INFO"]
        if path == "/openapi.json":
            return 200, "application/json", json.dumps(self.document)
        if path in self.tools:
            if environ["REQUEST_METHOD"] != "POST":
                return self.failure(405, "only POST")
            return self.invoke(self.tools[path], environ)
        return self.read(environ)

    def invoke(self, name: str, environ: Environ) -> tuple[int, str, str]:
        """The answer of a tool."""
        text = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        try:
            sent = json.loads(text)
        except ValueError:
            return self.failure(400, "no JSON")
        if not isinstance(sent, dict) or {"args"} != set(sent):
            return self.failure(400, "expected args")
        if not isinstance(sent["args"], dict):
            return self.failure(400, "expected an object of args")
        try:
            # The null rule is for models: clients of a document know what absence is.
            call = self.package.TOOLS[name].input_type.from_dict(sent["args"])
        except ValueError as error:
            return self.failure(400, str(error))
        outcome = self.service.outcome(name, call.to_dict())
        return outcome.status, "application/json", json.dumps(outcome.to_dict())

    def read(self, environ: Environ) -> tuple[int, str, str]:
        """The answer of a resource, by its URI as it was sent."""
        # The client knows the server of the document only, not that of a path.
        path = environ["REQUEST_URI"].partition("?")[0].removeprefix("/tools")
        uri = f"{path}?{environ['QUERY_STRING']}"
        try:
            found = self.resources.match(uri)
        except ValueError as error:
            return self.failure(400, str(error))
        if found is None:
            return self.failure(404, "nothing there")
        if environ["REQUEST_METHOD"] != "GET":
            return self.failure(405, "only GET")
        return 200, "text/markdown", self.service.read(uri).data

    def failure(self, status: int, message: str) -> tuple[int, str, str]:
        """An error of the server's own."""
        error = {"code": "request", "message": message}
        return status, "application/json", json.dumps({"ok": False, "error": error})


CHECKS = [
    not_a_server_error,
    status_code_conformance,
    response_schema_conformance,
    negative_data_rejection,
    positive_data_acceptance,
]


@pytest.mark.whole
@pytest.mark.parametrize("operation_id", ["invoke_add", "invoke_count", "read_page"])
def test_a_server_of_the_generated_modules_keeps_the_document(
    built: Built, document: Any, operation_id: str
) -> None:
    """schemathesis sends what the document allows and what it does not."""
    schema = schemathesis.openapi.from_wsgi("/openapi.json", Server(built, document))
    operation = schema.find_operation_by_id(operation_id)
    called: list[int] = []
    for mode in (
        schemathesis.GenerationMode.POSITIVE,
        schemathesis.GenerationMode.NEGATIVE,
    ):

        @settings(
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(operation.as_strategy(generation_mode=mode))
        def kept(case: Any) -> None:
            response = case.call()
            called.append(response.status_code)
            case.validate_response(response, checks=CHECKS)

        kept()
    assert {200, 400} <= set(called)

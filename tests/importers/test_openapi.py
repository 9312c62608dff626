"""OpenAPI documents: operations become HTTP tools, schemas become entities."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from brimgen.diagnostics import Diagnostics
from importers.documents import built, imported
from support.imports import import_tools
from support.made import corpus
from support.project import build


def api(method: str = "get", **changes: Any) -> dict[str, Any]:
    """An OpenAPI document with one operation, whose parts ``changes`` replace."""
    operation = {
        "operationId": "getPet",
        "summary": "Get a pet",
        "parameters": [
            {
                "name": "id",
                "in": "path",
                "required": True,
                "schema": {"type": "integer"},
            }
        ],
        "responses": {
            "200": {
                "description": "ok",
                "content": {
                    "application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}
                },
            }
        },
        **changes,
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "Pets", "version": "1"},
        "servers": [{"url": "https://pets.example/v1"}],
        "paths": {"/pets/{id}": {method: operation}},
        "components": {
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "key": {"type": "apiKey", "in": "query", "name": "key"},
                "digest": {"type": "http", "scheme": "digest"},
                "app": {
                    "type": "oauth2",
                    "flows": {
                        "clientCredentials": {"tokenUrl": "https://login.example/token"}
                    },
                },
            },
            "schemas": {
                "Pet": {
                    "type": "object",
                    "required": ["id"],
                    "properties": {
                        "id": {"type": "integer"},
                        "kind": {"$ref": "#/components/schemas/Kind"},
                        "ages": {"$ref": "#/components/schemas/Ages"},
                        "parent": {"$ref": "#/components/schemas/Pet"},
                    },
                },
                "Kind": {"type": "string", "enum": ["dog", "cat"]},
                "Ages": {"type": "array", "items": {"type": "integer"}, "maxItems": 3},
            },
        },
    }


OPERATION = """\
type: http_function
name: getPet
description: Get a pet
arguments:
  mode: standard
  inline:
    type: object
    properties:
      id: { type: integer }
    required: [id]
    additionalProperties: false
allowedHosts: [pets.example]
request: { method: GET, urlTemplate: "https://pets.example/v1/pets/${id}" }
response:
  successCodes: [200]
returns: { "$ref": "#/entities/Pet" }
"""
PET = """\
type: entity
name: Pet
required: [id]
properties:
  id: { type: integer }
  kind: { "$ref": "#/entities/Kind" }
  ages:
    type: array
    items: { type: integer }
    maxItems: 3
  parent: { "$ref": "#/entities/Pet" }
"""


def test_an_operation_and_its_schemas() -> None:
    documents, told = imported("api.json", api())
    kind = "type: entity\nname: Kind\nenum: [dog, cat]\n"
    assert [] == told
    assert (PET, kind, OPERATION) == documents


def test_what_comes_in_is_built_and_decodes(tmp_path: Path) -> None:
    project = built(tmp_path, "api.json", api())
    assert 7 == project.tool("getPet").input_type.from_dict({"id": 7}).id
    pet = project.schema("Pet")
    validator = Draft202012Validator(pet)
    assert validator.is_valid({"id": 1, "kind": "dog", "parent": {"id": 2}})
    assert not validator.is_valid({"id": 1, "parent": {"kind": "cow"}})


def _request(document: str) -> str:
    return document.partition("request:\n")[2].partition("response:")[0]


SENT: list[tuple[dict[str, Any], str]] = [
    (
        {
            "parameters": [
                {"name": "id", "in": "path", "required": True, "schema": {}},
                {"name": "id", "in": "query", "schema": {"type": "string"}},
                {"name": "X-Id", "in": "header", "schema": {"type": "string"}},
                {"name": "Accept", "in": "header", "schema": {"type": "string"}},
            ]
        },
        '  query: { id: "${id_query}" }\n  headers: { X-Id: "${X-Id}" }\n',
    ),
    (
        {"security": [{"token": [], "key": []}]},
        '  query: { key: "${KEY}" }\n' '  auth: { type: bearer, token: "${TOKEN}" }\n',
    ),
    (
        {"security": [{"app": ["read", "write"]}]},
        "  auth:\n    type: oauth2\n"
        '    tokenUrl: "https://login.example/token"\n'
        '    clientId: "${APP_CLIENT_ID}"\n'
        '    clientSecret: "${APP_CLIENT_SECRET}"\n'
        "    scope: read write\n",
    ),
    (
        {"security": [{"digest": []}, {"key": []}]},
        '  auth: { type: api_key, in: query, name: key, value: "${KEY}" }\n',
    ),
]


@pytest.mark.parametrize(("changes", "expected"), SENT)
def test_where_arguments_and_secrets_are_sent(
    changes: dict[str, Any], expected: str
) -> None:
    documents, told = imported("api.json", api(**changes))
    assert [] == told
    start = '  method: GET\n  urlTemplate: "https://pets.example/v1/pets/${id}"\n'
    assert start + expected == _request(documents[-1])


def _body(media: str, schema: Any, **more: Any) -> dict[str, Any]:
    return {"requestBody": {"content": {media: {"schema": schema}}, **more}}


def _form(**encoding: Any) -> dict[str, Any]:
    """An optional form with the field ``x``, and how that is written."""
    body = _body("application/x-www-form-urlencoded", POINT)
    (media,) = body["requestBody"]["content"].values()
    media["encoding"] = {"x": encoding, "other": {"style": "deepObject"}}
    return body


POINT = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}
WHOLE = "  headers: { Content-Type: application/json }\n" '  body: "${body}"\n'
BODIES: list[tuple[dict[str, Any], str]] = [
    (_body("application/json", POINT, required=True), '  body: { x: "${x}" }\n'),
    (_body("application/json", POINT), WHOLE),
    (
        _body(
            "application/json", {**POINT, "additionalProperties": True}, required=True
        ),
        WHOLE,
    ),
    (_body("application/json", {"type": "array"}), WHOLE),
    (
        _body("application/x-www-form-urlencoded", POINT, required=True),
        "  headers: { Content-Type: application/x-www-form-urlencoded }\n"
        '  body: { x: "${x}" }\n',
    ),
    (
        _body("application/merge-patch+json", POINT, required=True),
        '  headers: { Content-Type: "application/merge-patch+json" }\n'
        '  body: { x: "${x}" }\n',
    ),
    (
        _body("text/csv", {"type": "string"}, required=True),
        '  headers: { Content-Type: text/csv }\n  body: "${body}"\n',
    ),
]


@pytest.mark.parametrize(("changes", "expected"), BODIES)
def test_a_body_of_an_operation_becomes_a_body_of_the_request(
    changes: dict[str, Any], expected: str
) -> None:
    documents, told = imported("api.json", api("post", **changes))
    assert [] == told
    assert _request(documents[-1]).endswith(f'/${{id}}"\n{expected}')


def _parameter(**changes: Any) -> dict[str, Any]:
    parameter = {"name": "q", "in": "query", "schema": {"type": "string"}, **changes}
    path = {"name": "id", "in": "path", "required": True, "schema": {}}
    return {"parameters": [path, parameter]}


REFUSED: list[tuple[dict[str, Any], str]] = [
    (
        _parameter(schema={"type": "object"}),
        "`q` is an object whose properties are not all known",
    ),
    (
        _parameter(schema=POINT, explode=False),
        "`q` is an object in the style `form`",
    ),
    (
        _parameter(schema={"type": "object", "properties": {"a.b": {}}}),
        "a property of `q` has a name that no variable can have",
    ),
    (
        _parameter(schema=POINT, **{"in": "header"}),
        "`q` is an object in the style `simple`",
    ),
    (
        _parameter(
            schema={"type": "array"}, style="matrix", explode=True, **{"in": "path"}
        ),
        "`q` is a list in the style `matrix`",
    ),
    (
        _parameter(**{"in": "cookie", "schema": {"type": "array"}}),
        "`q` is a list in the style `form`",
    ),
    (_parameter(name=""), "a parameter has no name or no place"),
    (
        _parameter(content={"application/xml": {}}),
        "`q` is written in a media type of its own",
    ),
    (
        _body("multipart/related", POINT, required=True),
        "its body is multipart/related",
    ),
    (
        _body("multipart/form-data", {"type": "object"}),
        "its form has no list of fields",
    ),
    (_body("text/csv", {"type": "array"}), "its body is text/csv"),
    (_body("image/png", POINT), "its body is image/png"),
    (
        _form(contentType="application/xml"),
        "`x` of its form is written as application/xml",
    ),
    (
        _body("application/x-www-form-urlencoded", {"type": "object"}, required=True),
        "its form has no list of fields",
    ),
]


@pytest.mark.parametrize(("changes", "reason"), REFUSED)
def test_what_no_http_tool_can_say_is_refused(
    changes: dict[str, Any], reason: str
) -> None:
    documents, told = imported("api.json", api("post", **changes))
    assert 2 == len(documents)
    assert [f"I707 `getPet` cannot be imported: {reason}"] == [
        each.partition(" ")[2] for each in told
    ]


# The part that the reason is about, by the text that begins there.
PLACES = [
    ("parameters: [{name: q}]", "{name: q}"),
    ("parameters: [7]", "7]"),
    ("parameters: [{name: s, in: body, required: true}]", "{name: s"),
    ("requestBody: {content: {multipart/mixed: {}}}", "multipart/mixed"),
]


@pytest.mark.parametrize(("said", "begins"), PLACES)
def test_what_is_refused_is_told_where_it_stands(said: str, begins: str) -> None:
    document = (
        "openapi: 3.1.0\ninfo: {title: a, version: '1'}\n"
        "servers: [{url: 'https://a.example'}]\npaths:\n  /pets:\n    post:\n"
        f"      operationId: add_pet\n      {said}\n"
    )
    diagnostics = Diagnostics()
    import_tools("api.yaml", document, diagnostics)
    (told,) = diagnostics
    line = document.split("\n")[told.span.line - 1]
    assert ("I707", 8) == (told.rule.code, told.span.line)
    assert line[told.span.column - 1 :].startswith(begins)


def test_a_missing_server_is_told_where_it_should_stand() -> None:
    diagnostics = Diagnostics()
    rest = "paths: {/pets: {get: {operationId: pets}}}\n"
    import_tools("api.yaml", f"openapi: 3.1.0\n{rest}", diagnostics)
    servers = "servers:\n  - url: /v1\n  - url: /v2\n"
    import_tools("api.yaml", f"openapi: 3.1.0\n{servers}{rest}", diagnostics)
    assert [("I714", 1, 1), ("I714", 3, 5)] == [
        (each.rule.code, each.span.line, each.span.column) for each in diagnostics
    ]


KEPT_OUT = [
    (
        {"security": [{"digest": []}]},
        "security `digest` of `getPet` is not imported: there is no way to send digest",
    ),
    (
        _body("text/csv", {}),
        "that the body may be left out of `getPet` is not imported: it is a text",
    ),
    (
        _body("application/x-www-form-urlencoded", POINT),
        "that the form may be left out of `getPet` is not imported: "
        "some of its fields are required",
    ),
    ({"requestBody": {}}, "the body of `getPet` is not imported: it has no content"),
]


@pytest.mark.parametrize(("changes", "said"), KEPT_OUT)
def test_what_can_be_left_out_is_told(changes: dict[str, Any], said: str) -> None:
    documents, told = imported("api.json", api("post", **changes))
    assert (3, [f"I714 {said}"]) == (
        len(documents),
        [each.partition(" ")[2] for each in told],
    )


def test_the_words_of_openapi_30_become_json_schema(tmp_path: Path) -> None:
    document = api()
    document["openapi"] = "3.0.3"
    document["components"]["schemas"]["Pet"]["properties"] |= {
        "name": {"type": "string", "nullable": True, "example": "Rex"},
        "size": {"type": "string", "enum": ["s", "l"], "nullable": True},
        "weight": {"type": "number", "minimum": 0, "exclusiveMinimum": True},
        "mate": {"nullable": True, "allOf": [{"$ref": "#/components/schemas/Pet"}]},
    }
    project = built(tmp_path, "api.json", document)
    properties = project.schema("Pet")["$defs"]["Pet"]["properties"]
    assert {"type": ["string", "null"], "examples": ["Rex"]} == properties["name"]
    assert ["s", "l", None] == properties["size"]["enum"]
    assert {"type": "number", "exclusiveMinimum": 0} == properties["weight"]
    validator = Draft202012Validator(project.schema("Pet"))
    assert validator.is_valid({"id": 1, "mate": None})
    assert not validator.is_valid({"id": 1, "weight": 0})


def test_yaml_is_read_too() -> None:
    text = dedent("""\
        openapi: 3.1.0
        servers: [{url: "https://{at}.example", variables: {at: {default: eu}}}]
        paths:
          /now: {get: {responses: {"200": {content: {text/plain: {}}}}}}
        """)
    documents, told = imported("api.yaml", text)
    assert [] == told
    assert "name: get_now\n" in documents[0]
    assert 'urlTemplate: "https://eu.example/now" }' in documents[0]
    assert documents[0].endswith(
        "response:\n  successCodes: [200]\n  encoding: text\n" "returns: string\n"
    )


def test_a_version_that_yaml_reads_as_a_number_is_the_text_that_the_api_takes(
    tmp_path: Path,
) -> None:
    text = dedent("""\
        openapi: 3.1.0
        servers: [{url: "https://eu.example"}]
        paths:
          /now:
            get:
              operationId: now
              parameters:
                - name: version
                  in: query
                  schema: {type: string, enum: [1.10, 2.0, on], default: 1.10}
                - {name: port, in: query, schema: {type: [string, "null"], enum: [080, null]}}
                - {name: half, in: query, schema: {type: number, enum: [1.50]}}
              responses: {"200": {content: {text/plain: {}}}}
        """)
    (document,), told = imported("api.yaml", text)
    assert [] == told
    made = build(tmp_path, {"a.yaml": document})
    assert not made.diagnostics.has_errors
    properties = made.schema("now.input")["properties"]
    assert ["1.10", "2.0", "on"] == properties["version"]["enum"]
    assert "1.10" == properties["version"]["default"]
    assert ["080", None] == properties["port"]["enum"]
    assert [1.5] == properties["half"]["enum"]


@pytest.mark.parametrize(
    ("operation", "expected"),
    [
        ("a" * 64, "a" * 64),
        ("a" * 65, "a" * 64),
        (f"{'a' * 60}/list-them", "a" * 60),
        (f"{'a' * 60}/b1-c2", f"{'a' * 60}_b1"),
        (f"{'a' * 60}/b12-{'c' * 9}", f"{'a' * 60}_b12"),
    ],
)
def test_long_names_of_operations_end_after_a_word(
    operation: str, expected: str
) -> None:
    documents, told = imported("api.json", api(operationId=operation))
    assert [] == told
    (tool,) = (each for each in documents if "type: http_function" in each)
    assert f"name: {expected}\n" in tool
    assert (operation == expected) == ("x-operation-id" not in tool)


def test_operations_whose_names_become_one_are_numbered() -> None:
    long = "a" * 64
    names = ["list.all", "list/all", "list_all", f"{long}-b", f"{long}-c", None, None]
    document = api()
    document["paths"] = {
        f"/pets/{'p' * 70}/{number}": {
            "get": {} if name is None else {"operationId": name}
        }
        for number, name in enumerate(names)
    }
    documents, told = imported("api.json", document)
    tools = [each for each in documents if "type: http_function" in each]
    assert [] == told
    assert [
        *("list_all", "list_all_2", "list_all_3", long, f"{long[:-2]}_2"),
        *("get_pets", "get_pets_2"),
    ] == [each.splitlines()[1].removeprefix("name: ") for each in tools]
    assert "x-operation-id: list/all\n" in tools[1].replace('"', "")


def _only(document: Any, *names: str) -> tuple[list[str], list[str]]:
    documents, told = imported("api.json", document, only=names)
    called = [each.splitlines()[1].removeprefix("name: ") for each in documents]
    return called, [each.partition(" ")[2] for each in told]


def test_tools_are_chosen_by_their_names_and_bring_what_they_need() -> None:
    document = api()
    refused = {
        "operationId": "getPetImage",
        **_body("multipart/mixed", {}, required=True),
    }
    text = {"200": {"content": {"text/plain": {}}}}
    document["paths"] |= {
        "/image": {"post": refused},
        "/name": {"get": {"operationId": "getName", "responses": text}},
    }
    assert (["getName"], []) == _only(document, "getName")
    assert (["Pet", "Kind", "getPet", "getName"], []) == _only(
        document, "getPet", "*Name"
    )
    missing = "I702 the file has no tool `getNames` to import"
    assert (["getName"], [missing]) == _only(document, "getNam?", "getNames")
    assert 4 == len(_only(document)[0])


def test_the_same_operation_twice_is_refused() -> None:
    document = api()
    document["paths"]["/dogs/{id}"] = document["paths"]["/pets/{id}"]
    documents, told = imported("api.json", document)
    assert 3 == len(documents)
    assert ["I706 there are two tools `getPet`"] == [
        each.partition(" ")[2] for each in told
    ]


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


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/books", "get_books"),
        ("/books/{id}", "get_books_id"),
        ("/books/{id}/pages/{_from}/", "get_books_id_pages_from"),
        ("/", "get"),
    ],
)
def test_operations_without_a_name_are_named_by_method_and_path(
    path: str, expected: str
) -> None:
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    operation = {"parameters": [{"name": x, "in": "path"} for x in names]}
    servers = [{"url": "https://a.example"}]
    data = {"openapi": "3.1.0", "servers": servers, "paths": {path: {"get": operation}}}
    (tool,), told = imported("api.json", data)
    assert [] == told
    assert tool.startswith(f"type: http_function\nname: {expected}\n")
    assert "x-operation-id" not in tool


def test_keys_that_are_cookies() -> None:
    document = api(security=[{"one": [], "two": []}])
    document["components"]["securitySchemes"] = {
        "one": {"type": "apiKey", "in": "cookie", "name": "sid"},
        "two": {"type": "apiKey", "in": "cookie", "name": "user"},
    }
    documents, told = imported("api.json", document)
    assert [] == told
    assert 'headers: { Cookie: "sid=${ONE}; user=${TWO}" }' in "".join(documents)
    assert "secrets: [ONE, TWO]" in "".join(documents)


def test_a_document_without_a_server_and_one_of_another_version() -> None:
    document = api()
    del document["servers"]
    told = ": tools call the one in `A_BASE_URL`"
    documents, said = imported("a.json", document)
    assert [f"2 I714 no absolute URL of a server is given{told}"] == said
    assert 'urlTemplate: "${A_BASE_URL}/pets/${id}"' in "".join(documents)
    document["servers"] = [{"url": "https://{region}.example"}]
    assert [
        "99 I714 no absolute URL of a server is given "
        f"(only `https://{{region}}.example`){told}"
    ] == imported("a.json", document)[1]
    documents, told = imported("a.json", document, server="https://eu.example/v2")
    assert [] == told
    assert "https://eu.example/v2/pets/${id}" in "".join(documents)
    told = imported("a.json", {"swagger": "1.2", "paths": {}})[1]
    assert ["2 I701 this is neither OpenAPI 3 nor Swagger 2.0"] == told


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        ([], "I703 `paths` must be a mapping"),
        ("none", "I703 `paths` must be a mapping"),
        ({"/pets": []}, "I703 `/pets` of `paths` must be a mapping"),
        ({"/pets": {"get": []}}, "I703 `get` of `/pets` must be a mapping"),
        (
            {"/pets": {"$ref": "#/components/pathItems/pets"}},
            "I707 `#/components/pathItems/pets` cannot be followed: "
            "no path item stands there",
        ),
        (
            {"/pets": {"$ref": "pets.yaml"}},
            "I707 `pets.yaml` cannot be followed: no path item stands there",
        ),
        (
            {"/pets": {"trace": {}}},
            "I714 `trace` of `/pets` is not imported: no tool sends TRACE",
        ),
    ],
)
def test_what_is_no_path_item_is_told(paths: Any, expected: str) -> None:
    documents, told = imported("a.json", {**api(), "paths": paths})
    assert ((), [expected]) == (
        tuple(x for x in documents if "http_function" in x),
        [each.partition(" ")[2] for each in told],
    )


def test_path_items_that_are_referred_to() -> None:
    document = api()
    (item,) = document["paths"].values()
    document["components"]["pathItems"] = {"pet": item}
    reference = {"$ref": "#/components/pathItems/pet", "put": {}, "x-a": 1}
    document["paths"] = {"/pets/{id}": reference, "/b": None, "x-b": [1]}
    documents, told = imported("a.json", document)
    assert 1 == sum("http_function" in each for each in documents)
    expected = "I714 `put` of `/pets/{id}` is not imported: it stands beside a `$ref`"
    assert [expected] == [each.partition(" ")[2] for each in told]


def test_reactions_of_real_services_are_two_attributes(tmp_path: Path) -> None:
    schema = {"type": "integer", "minimum": 0}
    document = api()
    document["components"]["schemas"]["Pet"] = {
        "type": "object",
        "properties": {"+1": schema, "-1": schema, "laugh": schema},
        "required": ["+1"],
    }
    made = built(tmp_path, "a.json", document)
    assert [] == made.codes
    pet = made.load("entities").Pet.from_dict({"+1": 3, "-1": 1})
    assert (3, 1, None) == (pet.plus_1, pet.minus_1, pet.laugh)
    assert {"+1": 3, "-1": 1} == pet.to_dict()


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
        operation |= _body("application/json", content, required=True)
    path = {http["path"]: {http["method"].lower(): operation}}
    document = {"openapi": "3.1.0", "servers": api()["servers"], "paths": path}
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

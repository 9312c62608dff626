"""What `brimgen import` writes of documents of real services builds, and works."""

from __future__ import annotations

import importlib
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

HEAD = """\
openapi: 3.0.3
info: {title: t, version: "1"}
servers: [{url: https://api.example}]
"""


def module(project: Path, name: str) -> Any:
    """A module of the package that was generated in a project; no other test has its name."""
    root = str(project / "out" / "python")
    sys.path.insert(0, root)
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(root)


def imported(project: Path, run: Any, name: str, document: str, *options: str) -> Any:
    """Import a document and generate it; return the run of the import."""
    (project / f"{name}.yaml").write_text(document, encoding="utf-8")
    ran = run("import", f"{name}.yaml", "--into", "specs", *options)
    generated = run("generate")
    assert (0, []) == (
        generated.code,
        [line for line in generated.err.splitlines() if line.startswith("error")],
    )
    return ran


def test_parameters_that_are_one_attribute_in_python_are_all_sent(
    project: Path, run: Any
) -> None:
    document = HEAD + """\
paths:
  /s:
    get:
      operationId: sorted
      parameters:
        - {name: "When<", in: query, schema: {type: string, format: date}}
        - {name: "When>", in: query, schema: {type: string, format: date}}
        - {name: sort-by, in: query, schema: {type: string}}
        - {name: sort_by, in: query, schema: {type: string}}
      responses: {"204": {description: none}}
"""
    assert imported(project, run, "colliding", document).code == 0
    tool = module(project, "colliding.http.sorted")
    call = {
        "When<": "2026-01-01",
        "When>": "2025-01-01",
        "sort-by": "a",
        "sort_by": "b",
    }
    inputs = module(project, "colliding.tools.sorted").SortedInput
    read = inputs.from_dict(call)
    assert read.to_dict() == call
    assert (read.When_.year, read.When_2.year) == (2026, 2025)
    assert (read.sort_by_2, read.sort_by) == ("a", "b")
    assert tool.build(read, {}).url.endswith(
        "/s?When%3C=2026-01-01&When%3E=2025-01-01&sort-by=a&sort_by=b"
    )


def test_a_property_with_the_name_of_its_schema_keeps_that_name_in_json(
    project: Path, run: Any
) -> None:
    document = HEAD + """\
paths:
  /c:
    get:
      operationId: getContact
      responses:
        "200":
          description: ok
          content:
            application/json: {schema: {$ref: "#/components/schemas/Contact"}}
components:
  schemas:
    Address: {type: object, properties: {City: {type: string}}}
    Contact:
      type: object
      properties:
        Address: {$ref: "#/components/schemas/Address"}
        Others: {type: array, items: {$ref: "#/components/schemas/Address"}}
"""
    assert imported(project, run, "pascal", document).code == 0
    contact = module(project, "pascal").Contact
    value = {"Address": {"City": "Bern"}, "Others": [{"City": "Basel"}]}
    read = contact.from_dict(value)
    assert (read.Address_.City, read.to_dict()) == ("Bern", value)


def test_one_schema_that_cannot_be_said_takes_no_other_spec_with_it(
    project: Path, run: Any
) -> None:
    document = HEAD + """\
paths:
  /fine: {get: {operationId: fine, responses: {"204": {description: none}}}}
  /a/{id}#once:
    put:
      operationId: putA
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/A"}}}}
      responses: {"204": {description: none}}
  /photo:
    put:
      operationId: putPhoto
      requestBody: {content: {multipart/mixed: {schema: {type: object}}}}
      responses: {"204": {description: none}}
components:
  schemas:
    A:
      type: object
      required: [id, undeclared]
      properties:
        id: {type: string, pattern: "^(a+)+$"}
        inner: {$ref: "#/components/schemas/Gone"}
        tree: {$ref: "#/components/schemas/Tree"}
    Tree:
      oneOf:
        - type: string
        - type: object
          properties: {and: {type: array, items: {$ref: "#/components/schemas/Tree"}}}
"""
    ran = imported(project, run, "partly", document)
    assert (0, 1) == (ran.code, run("import", "partly.yaml", "--strict").code)
    table = ran.err.partition("Next:")[0].splitlines()[-4:]
    assert [line.split()[:2] for line in table] == [
        ["taken", "3"],
        *(2 * [["left", "open"]]),
        ["left", "out"],
    ]
    spec = (project / "specs/entities/A.yaml").read_text()
    assert "left open: `pattern`: `(a+)+` can read a text" in spec
    a = module(project, "partly").A
    call: dict[str, Any] = {
        "id": "x",
        "undeclared": [1],
        "inner": 3,
        "tree": {"and": [{"and": []}]},
    }
    assert a.from_dict(call).to_dict() == call
    request = module(project, "partly.http.putA")
    tool = module(project, "partly.tools.putA").PutAInput
    assert request.build(tool.from_dict({"id": "7", "body": call}), {}).url.endswith(
        "/a/7"
    )


def test_names_of_schemas_are_made_where_no_spec_can_have_them(
    project: Path, run: Any
) -> None:
    names = ["a" * 70, "a" * 64 + "b", "Ünïcode", "顧客", "Pet", "pet"]
    schemas = "\n".join(
        f'    "{name}": {{type: object, properties: {{n{number}: {{type: integer}}}}}}'
        for number, name in enumerate(names)
    )
    properties = ", ".join(
        f'p{number}: {{$ref: "#/components/schemas/{name}"}}'
        for number, name in enumerate(names)
    )
    document = HEAD + f"""\
paths:
  /all:
    get:
      operationId: all_of_them
      responses:
        "200":
          description: ok
          content: {{application/json: {{schema: {{$ref: "#/components/schemas/All"}}}}}}
components:
  schemas:
    All: {{type: object, properties: {{{properties}}}}}
{schemas}
"""
    assert imported(project, run, "named", document).code == 0
    value = {f"p{number}": {f"n{number}": number} for number in range(len(names))}
    assert module(project, "named").All.from_dict(value).to_dict() == value


class Service(BaseHTTPRequestHandler):
    """Answers with the path that was asked for."""

    def do_GET(self) -> None:
        body = json.dumps({"path": self.path}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Keep the output of the tests clean."""


def test_tools_of_a_document_without_a_server_call_the_one_in_the_environment(
    project: Path, run: Any
) -> None:
    document = HEAD.replace("https://api.example", "/v2/") + """\
paths:
  /things/{id}:
    get:
      operationId: getThing
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        "200":
          description: ok
          content: {application/json: {schema: {type: object}}}
"""
    ran = imported(project, run, "serverless", document)
    assert ran.code == 0
    assert "warning[I714]" in ran.err
    verified = run("verify")
    assert verified.code == 0, verified.err
    tool = module(project, "serverless.http.getThing")
    missing = tool.invoke({"id": "a b"})
    assert missing.error.code == "not_configured"
    assert missing.error.detail == "the secret SERVERLESS_BASE_URL is missing"
    wrong = tool.invoke({"id": "x"}, secrets={"SERVERLESS_BASE_URL": "ftp://x?y"})
    assert (wrong.error.code, "ftp" in str(wrong.error)) == ("not_configured", False)
    server = HTTPServer(("127.0.0.1", 0), Service)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        url = f"http://127.0.0.1:{server.server_port}/base/"
        answer = tool.invoke({"id": "a b"}, secrets={"SERVERLESS_BASE_URL": url})
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert answer.value == {"path": "/base/v2/things/a%20b"}


def test_a_document_of_swagger_2_sends_what_it_says(project: Path, run: Any) -> None:
    document = """\
swagger: "2.0"
info: {title: t, version: "1"}
host: api.example
basePath: /v1
schemes: [https]
consumes: [application/json]
securityDefinitions: {login: {type: basic}}
security: [{login: []}]
parameters: {Sort: {name: sort, in: query, type: string, enum: [up, down]}}
definitions:
  Pet: {type: object, required: [name], properties: {name: {type: string, x-nullable: true}}}
paths:
  /{tenant}/pets:
    parameters: [{$ref: "#/parameters/Sort"}]
    post:
      operationId: addPet
      parameters:
        - {name: ids, in: query, type: array, items: {type: integer}}
        - {name: tags, in: query, type: array, collectionFormat: multi, items: {type: string}}
        - {name: pet, in: body, required: true, schema: {$ref: "#/definitions/Pet"}}
      responses: {"201": {description: made, schema: {$ref: "#/definitions/Pet"}}}
  /login:
    post:
      operationId: logIn
      security: []
      consumes: [application/x-www-form-urlencoded]
      parameters: [{name: user, in: formData, required: true, type: string}]
      responses: {"204": {description: none}}
"""
    assert imported(project, run, "swaggered", document, "--strict").code == 0
    secrets = {"LOGIN_USERNAME": "u", "LOGIN_PASSWORD": "p"}
    call = {"tenant": "t", "sort": "up", "ids": [1, 2], "tags": ["a", "b"], "name": "x"}
    read = module(project, "swaggered.tools.addPet").AddPetInput.from_dict(call)
    request = module(project, "swaggered.http.addPet").build(read, secrets)
    assert request.method == "POST"
    assert request.url == (
        "https://api.example/v1/t/pets?ids=1,2&tags=a&tags=b&sort=up"
    )
    assert request.body == b'{"name":"x"}'
    assert ("Authorization", "Basic dTpw") in request.headers
    form = module(project, "swaggered.tools.logIn").LogInInput.from_dict({"user": "me"})
    assert module(project, "swaggered.http.logIn").build(form, {}).body == b"user=me"
    assert module(project, "swaggered").Pet.from_dict({"name": "y"}).name == "y"


def test_a_descriptor_of_a_deep_schema_keeps_within_its_budget(
    project: Path, run: Any
) -> None:
    end = f"The number at the end of the way{' of all' * 5_000}"
    deep = f"{{type: integer, minimum: 1, description: {end}}}"
    for name in ("e", "d", "c", "b", "a"):
        deep = (
            f"{{type: object, required: [{name}], "
            f"properties: {{{name}: {deep}, other_{name}: {{type: string}}}}}}"
        )
    document = HEAD + f"""\
paths:
  /deep:
    post:
      operationId: postDeep
      requestBody: {{required: true, content: {{application/json: {{schema: {deep}}}}}}}
      responses: {{"204": {{description: none}}}}
"""
    assert imported(project, run, "deep", document, "--strict").code == 0
    settings = project / "brimgen.yaml"
    profiles = "descriptors: {profiles: [openai, mcp, gemini, anthropic]}\n"
    settings.write_text(settings.read_text() + profiles)
    generated = run("generate")
    assert (0, 1) == (generated.code, generated.err.count("warning[T467]"))
    verified = run("verify")
    assert verified.code == 0, verified.err
    files = sorted((project / "out/python/deep/descriptors").rglob("*.json"))
    assert len(files) == 4
    for path in files:
        text = path.read_text()
        assert "at the end of the way" not in text, path
        assert "Not shown in full: " in text, path
    rows = json.loads((project / "out/losses.json").read_text())
    assert {row["profile"] for row in rows if row["keyword"] == "token_budget"} == {
        *("openai", "mcp", "gemini", "anthropic")
    }
    tool = module(project, "deep.tools.postDeep").PostDeepInput
    right = {"a": {"b": {"c": {"d": {"e": 1}}}}}
    assert tool.from_dict(right).to_dict() == right
    with pytest.raises(ValueError, match="a/b/c/d/e: expected at least 1"):
        tool.from_dict({"a": {"b": {"c": {"d": {"e": 0}}}}})


def test_words_of_others_are_not_judged_and_few_warnings_about_them_are_printed(
    project: Path, run: Any
) -> None:
    paths = "\n".join(
        f"  /p{number}: {{post: {{operationId: op{number}, "
        "requestBody: {content: {application/json: {schema: {type: object}}}}, "
        'responses: {"204": {description: none}}}}'
        for number in range(8)
    )
    (project / "loud.yaml").write_text(f"{HEAD}paths:\n{paths}\n")
    assert run("import", "loud.yaml", "--into", "specs").code == 0
    assert (
        'x-imported-from: "loud.yaml#op0"\n' in (project / "specs/op0.yaml").read_text()
    )
    generated = run("generate")
    assert (0, 5) == (generated.code, generated.err.count("warning[T450]"))
    assert "L601" not in generated.err
    assert "brimgen: 3 more warnings about imported specs" in generated.err
    every = run("generate", "--format", "concise")
    assert every.err.count("warning[T450]") == 8
    assert "imported" not in (project / "out/python/loud/service.py").read_text()


def test_an_error_in_an_imported_spec_says_how_to_leave_it_out(
    project: Path, run: Any
) -> None:
    (project / "one.yaml").write_text(
        HEAD
        + 'paths: {/p: {get: {operationId: op, responses: {"204": {description: n}}}}}\n'
    )
    assert run("import", "one.yaml", "--into", "specs").code == 0
    spec = project / "specs/op.yaml"
    spec.write_text(spec.read_text().replace("/p", "/p#x"))
    generated = run("generate")
    assert generated.code == 1
    told = "brimgen: specs/op.yaml was imported from one.yaml; without it: rm specs/op.yaml"
    assert told in generated.err


def test_a_document_in_several_files_comes_in_whole_and_nothing_from_outside(
    project: Path, run: Any
) -> None:
    files = {
        "api/ops/delete.yml": "operationId: deleteDisks\n"
        "parameters: [{$ref: '../shared.json#/parameters/Tag'}]\n"
        "responses: {'200': {description: ok, content: {application/json: "
        "{schema: {$ref: '../schemas/Disk.yaml'}}}}}\n",
        "api/shared.json": json.dumps(
            {
                "parameters": {
                    "Tag": {
                        "name": "tag",
                        "in": "query",
                        "required": True,
                        "schema": {"type": "string"},
                    }
                }
            }
        ),
        "api/schemas/Disk.yaml": "type: object\n"
        "properties: {name: {type: string}, parent: {$ref: Disk.yaml}}\n",
        "secret.yaml": "type: object\nproperties: {stolen: {type: string}}\n",
        "api/many.yaml": HEAD + "paths:\n"
        "  /disks: {delete: {$ref: ops/delete.yml}}\n"
        "  /gone: {get: {$ref: ops/gone.yml}}\n"
        "  /out: {post: {operationId: out, requestBody: {content: {application/json: "
        "{schema: {$ref: ../secret.yaml}}}}, responses: {'204': {description: none}}}}\n",
    }
    for name, text in files.items():
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    ran = run("import", "api/many.yaml", "--into", "specs")
    assert ran.code == 0
    assert "`ops/gone.yml` cannot be followed" in ran.err
    assert "`../secret.yaml` is left open" in ran.err
    assert run("generate").code == 0
    assert "stolen" not in "".join(
        path.read_text() for path in project.rglob("specs/**/*.yaml")
    )
    tool = module(project, "many.tools.deleteDisks").DeleteDisksInput
    sent = module(project, "many.http.deleteDisks").build(tool.from_dict({"tag": "a"}))
    assert (sent.method, sent.url) == ("DELETE", "https://api.example/disks?tag=a")
    value = {"name": "a", "parent": {"name": "b"}}
    assert module(project, "many").Disk.from_dict(value).to_dict() == value


def test_a_tool_that_is_one_class_with_a_schema_gets_another_name(
    project: Path, run: Any
) -> None:
    document = HEAD + """\
paths:
  /order:
    post:
      operationId: order
      requestBody:
        content: {application/json: {schema: {$ref: "#/components/schemas/OrderInput"}}}
      responses: {"204": {description: none}}
components:
  schemas:
    OrderInput: {type: object, required: [sku], properties: {sku: {type: string}}}
"""
    assert imported(project, run, "clashing", document).code == 0
    assert module(project, "clashing").OrderInput.from_dict({"sku": "a"}).sku == "a"
    tool = module(project, "clashing.tools.order_2").Order2Input
    request = module(project, "clashing.http.order_2").build(
        tool.from_dict({"body": {"sku": "a"}})
    )
    assert (request.url, request.body) == ("https://api.example/order", b'{"sku":"a"}')


class Picture(Service):
    """Answers with bytes that are no text."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "image/png")
        self.send_header("Content-Length", "4")
        self.end_headers()
        self.wfile.write(b"\x89PNG")


def test_an_answer_of_bytes_comes_back_whole(project: Path, run: Any) -> None:
    document = HEAD.replace("https://api.example", "/") + """\
paths:
  /picture:
    get:
      operationId: getPicture
      responses:
        "200":
          description: ok
          content: {image/png: {schema: {type: string, format: binary}}}
"""
    assert imported(project, run, "pictured", document, "--strict").code == 0
    verified = run("verify")
    assert verified.code == 0, verified.err
    server = HTTPServer(("127.0.0.1", 0), Picture)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        secrets = {"PICTURED_BASE_URL": f"http://127.0.0.1:{server.server_port}"}
        answer = module(project, "pictured.http.getPicture").invoke({}, secrets=secrets)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert answer.value == b"\x89PNG"
    assert answer.to_dict() == {"ok": True, "value": "iVBORw=="}


@pytest.mark.parametrize("name", ["a\\u0000b.json", "n" * 300 + ".json"])
def test_a_reference_to_what_no_file_is_called_is_told(
    project: Path, run: Any, name: str
) -> None:
    document = HEAD + f"""\
paths:
  /fine: {{get: {{operationId: fine, responses: {{"204": {{description: none}}}}}}}}
  /lost: {{$ref: "{name}#/paths/x"}}
"""
    assert imported(project, run, "lost", document).code == 0
    assert (project / "specs/fine.yaml").is_file()


def test_a_type_that_is_none_is_left_open(project: Path, run: Any) -> None:
    document = HEAD + """\
paths:
  /a:
    post:
      operationId: makeA
      requestBody:
        required: true
        content:
          application/json:
            schema:
              {type: object, required: [x, y], properties: {x: {type: any}, y: {type: string}}}
      responses: {"204": {description: none}}
"""
    ran = imported(project, run, "typeless", document)
    assert ran.code == 0, ran.err
    assert run("generate").code == 0
    make = next((project / "specs").glob("make*.yaml")).read_text()
    assert "left open: `any` is not a JSON Schema type" in make
    assert "type: any" not in make


def test_a_body_of_several_kinds_of_json_is_sent_as_plain_json_without_what_is_read_only(
    project: Path, run: Any
) -> None:
    document = HEAD + """\
paths:
  /builds:
    post:
      operationId: build
      requestBody:
        required: true
        content:
          application/json-patch+json: {schema: {$ref: "#/components/schemas/Build"}}
          application/json: {schema: {$ref: "#/components/schemas/Build"}}
      responses: {"204": {description: none}}
components:
  schemas:
    State: {type: object, properties: {code: {type: integer}}}
    Build:
      type: object
      properties:
        name: {type: string}
        data: {type: string, format: byte}
        state: {$ref: "#/components/schemas/State", readOnly: true}
"""
    imported(project, run, "kinds", document)
    tool = module(project, "kinds.tools.build")
    properties = tool.INPUT_SCHEMA["properties"]
    assert properties == {
        "name": {"type": "string"},
        "data": {"type": "string", "contentEncoding": "base64"},
    }
    bound = tool.BuildInput.from_dict({"name": "a", "data": "AP8="})
    request = module(project, "kinds.http.build").build(bound, {})
    assert ("Content-Type", "application/json") in request.headers
    assert request.body == b'{"name":"a","data":"AP8="}'


def test_a_schema_that_holds_itself_through_a_union_is_checked_at_every_depth(
    project: Path, run: Any
) -> None:
    document = HEAD + """\
paths:
  /j:
    post:
      operationId: put
      parameters:
        - name: any
          in: query
          content: {application/json: {schema: {$ref: "#/components/schemas/Any"}}}
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [v]
              properties: {v: {$ref: "#/components/schemas/Expr"}}
      responses:
        "200":
          description: ok
          content: {application/json: {schema: {$ref: "#/components/schemas/Any"}}}
components:
  schemas:
    Expr:
      oneOf:
        - {type: string}
        - {$ref: "#/components/schemas/And"}
    And:
      type: object
      additionalProperties: false
      required: [and]
      properties: {and: {type: array, items: {$ref: "#/components/schemas/Expr"}}}
    Any:
      anyOf:
        - {type: integer}
        - {type: array, items: {$ref: "#/components/schemas/Any"}}
        - {type: object, additionalProperties: {$ref: "#/components/schemas/Some"}}
    Some: {anyOf: [{$ref: "#/components/schemas/Any"}, {type: "null"}]}
    Kept: {type: object, properties: {some: {$ref: "#/components/schemas/Some"}}}
"""
    assert "left open" not in imported(project, run, "recursive", document).err
    inputs = module(project, "recursive.tools.put").PutInput
    call: dict[str, Any] = {"v": {"and": ["a", {"and": []}]}, "any": [1, {"a": [2]}]}
    assert inputs.from_dict(call).to_dict() == call
    for wrong in (
        {"v": 3},
        {"v": {"and": [{"and": [3]}]}},
        {**call, "any": [{"a": "x"}]},
    ):
        with pytest.raises(ValueError):
            inputs.from_dict(wrong)
    kept = module(project, "recursive").Kept
    assert kept.from_dict({"some": [{"a": None}]}).to_dict() == {"some": [{"a": None}]}
    with pytest.raises(ValueError):
        kept.from_dict({"some": [{"a": "x"}]})


def test_an_amount_of_pydantic_is_a_number_or_its_digits(
    project: Path, run: Any
) -> None:
    amount: dict[str, Any] = {
        "anyOf": [
            {"type": "number"},
            {"type": "string", "pattern": r"^(?!^[-+.]*$)[+-]?0*\d*\.?\d*$"},
        ]
    }
    schema = {
        "title": "Payment",
        "type": "object",
        "required": ["amount"],
        "properties": {"amount": amount},
    }
    (project / "payment.json").write_text(json.dumps(schema))
    ran = run("import", "payment.json", "--as", "json_schema", "--into", "specs")
    generated = run("generate")
    assert (ran.code, generated.code) == (0, 0)
    assert "writes no file" not in generated.err
    payment = module(project, "payment").Payment
    for value in (12.5, "12.50"):
        assert payment.from_dict({"amount": value}).to_dict() == {"amount": value}
    with pytest.raises(ValueError):
        payment.from_dict({"amount": "abc"})


def test_an_operation_that_stands_elsewhere_in_the_document_keeps_its_parameters(
    project: Path, run: Any
) -> None:
    document = HEAD + """\
paths:
  /disks: {delete: {$ref: "#/components/x-ops/make"}, get: {$ref: "#/components/x-ops/gone"}}
components:
  x-ops:
    make:
      operationId: removeDisk
      parameters: [{name: id, in: query, required: true, schema: {type: integer}}]
      responses: {"204": {description: none}}
"""
    ran = imported(project, run, "elsewhere", document)
    assert "`#/components/x-ops/gone` cannot be followed" in ran.err
    assert [path.name for path in project.glob("specs/*.yaml")] == ["removeDisk.yaml"]
    inputs = module(project, "elsewhere.tools.removeDisk").RemoveDiskInput
    sent = module(project, "elsewhere.http.removeDisk").build(
        inputs.from_dict({"id": 3}), {}
    )
    assert (sent.method, sent.url) == ("DELETE", "https://api.example/disks?id=3")


def test_a_tool_of_a_list_may_have_arguments_that_are_one_attribute_in_python(
    project: Path, run: Any
) -> None:
    properties = {"When<": {"type": "string"}, "When>": {"type": "string"}}
    tool = {
        "name": "list_calls",
        "description": "List calls.",
        "inputSchema": {"type": "object", "properties": properties},
    }
    (project / "twins.json").write_text(json.dumps({"tools": [tool]}))
    assert run("import", "twins.json", "--into", "specs").code == 0
    assert run("generate").code == 0
    call = {"When<": "a", "When>": "b"}
    inputs = module(project, "twins.tools.list_calls").ListCallsInput
    read = inputs.from_dict(call)
    assert (read.When_, read.When_2, read.to_dict()) == ("a", "b", call)


def test_a_model_that_calls_by_an_alias_is_told_what_is_wrong_by_that_alias(
    project: Path, run: Any
) -> None:
    properties = {"$.size": {"type": "integer"}, "from-date": {"type": "string"}}
    tool = {
        "name": "find",
        "description": "Find.",
        "inputSchema": {
            "type": "object",
            "properties": {"page[1]": {"type": "object", "properties": properties}},
            "required": ["page[1]"],
            "additionalProperties": False,
        },
    }
    (project / "aliased.json").write_text(json.dumps({"tools": [tool]}))
    (project / "brimgen.yaml").write_text(
        "package: told_aliases\ntargets: [default, dispatch, openai, gemini, mcp]\n"
    )
    assert run("import", "aliased.json", "--into", "specs").code == 0
    generated = run("generate")
    assert generated.code == 0, generated.err
    dispatch = module(project, "told_aliases.dispatch")
    service = module(project, "told_aliases.service").Service(
        handlers={"find": lambda **_: None}
    )
    wrong = {"page_1": {"size": "x", "from_date": 1}}
    with service:
        gemini = dispatch.GeminiContents(service).answer(
            {"name": "find", "args": wrong}
        )
        wrong["page_1"]["from-date"] = wrong["page_1"].pop("from_date")
        call = {"name": "find", "arguments": json.dumps(wrong)}
        chat = dispatch.OpenAIChat(service).answer(
            {"id": "1", "type": "function", "function": call}
        )
    said = {"chat": chat["content"], "gemini": json.dumps(gemini)}
    for told in said.values():
        assert "page_1/size: expected integer" in told
        assert "$.size" not in told and "page[1]" not in told
    assert "page_1/from-date: expected" in said["chat"]
    assert "page_1/from_date: expected" in said["gemini"]

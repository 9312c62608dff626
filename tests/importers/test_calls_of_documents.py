"""Requests of tools imported from documents of services, judged by the documents themselves."""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from itertools import islice
from pathlib import Path
from threading import Thread
from typing import Any, cast
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
import yaml
from openapi_core import Config, OpenAPI
from openapi_core.testing import MockRequest

from brimgen.agreement.instances import Instances
from brimgen.agreement.reference_validator import Oracle
from brimgen.model.json import is_list, is_object
from importers.test_documents_of_services import PLACE, benchmark

pytestmark = pytest.mark.skipif(not PLACE, reason="BRIMGEN_CORPORA is not set")

_BITS = {"int32": 31, "int64": 63}
CALLS = 4
"""Different calls of a tool."""


class Secrets(Mapping[str, str]):
    """Any secret, one text for all."""

    def __getitem__(self, name: str) -> str:
        return "secret"

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


class Service:
    """A service on this machine that judges each request by its own document."""

    def __init__(self) -> None:
        self.wrong: list[str] = []
        self.judged = 0
        self.api: OpenAPI | None = None
        service = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                service.judge(self, self.rfile.read(length) or None)
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            do_GET = do_PUT = do_POST = do_DELETE = answer
            do_PATCH = do_OPTIONS = do_HEAD = answer

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def judge(self, got: BaseHTTPRequestHandler, body: bytes | None) -> None:
        """Keep what is wrong with a request."""
        assert self.api is not None
        parts = urlsplit(got.path)
        cookies = dict(
            pair.split("=", 1)
            for pair in filter(None, got.headers.get("Cookie", "").split("; "))
        )
        request = MockRequest(
            self.url,
            got.command.lower(),
            unquote(parts.path.replace("%2F", "%252F")),
            args=parse_qs(parts.query, keep_blank_values=True),
            headers=dict(got.headers.items()),
            cookies=cookies,
            data=body,
            content_type=got.headers.get("Content-Type", ""),
        )
        self.judged += 1
        is_form = got.headers.get("Content-Type", "").startswith("multipart/")
        for problem in self.api.iter_request_errors(request):
            # The judge takes the number in a part of a form for a text.
            if is_form and all(map(_OF_TEXT.search, _details(problem) or [""])):
                continue
            self.wrong.append(
                f"{got.command} {got.path} {body!r:.500}: "
                f"{problem!r} {problem.__cause__!r} {_details(problem)}"
            )


_OF_TEXT = re.compile("^'[^']*' is not of type '(number|integer|boolean)'")


def _details(problem: BaseException) -> list[str]:
    return [str(each)[:300] for each in getattr(problem.__cause__, "schema_errors", ())]


@contextmanager
def serving() -> Generator[Service]:
    """A service that listens."""
    service = Service()
    thread = Thread(target=service.server.serve_forever, daemon=True)
    thread.start()
    yield service
    service.server.shutdown()
    thread.join()
    service.server.server_close()


def _judge_of(document: dict[str, Any], spec: dict[str, Any], url: str) -> OpenAPI:
    """What judges requests of one tool: its path of the document, at ``url``."""
    template = spec["request"]["urlTemplate"].removeprefix(url).partition("?")[0]
    wanted = template.replace("${", "{").replace(" | comma}", "}")
    shape = re.sub(r"\{[^}]*\}", "{}", wanted)
    items = [
        (re.split("[?#]", path)[0], item) for path, item in document["paths"].items()
    ]
    paths = {path: item for path, item in items if path == wanted} or {
        path: item for path, item in items if re.sub(r"\{[^}]*\}", "{}", path) == shape
    }
    own = {**document, "paths": paths, "servers": [{"url": url}]}
    # Documents of services break rules of OpenAPI that no request depends on.
    unchecked: Any = None
    config = Config(spec_validator_cls=unchecked)
    return OpenAPI.from_dict(own, config=config)


def _read(name: str, text: bytes) -> dict[str, Any]:
    """A document without other servers, its slips mended as an import mends them."""
    document = (
        json.loads(text)
        if name.endswith(".json")
        else json.loads(json.dumps(yaml.load(text, yaml.CSafeLoader), default=str))
    )
    for item in document.get("paths", {}).values():
        for owner in (item, *item.values()):
            if is_object(owner):
                owner.pop("servers", None)
    _mend(document)
    return cast("dict[str, Any]", document)


def _mend(node: Any) -> None:
    """Take empty texts in queries, and choices of a list as those of its items."""
    for value in node.values() if is_object(node) else node if is_list(node) else ():
        _mend(value)
    if is_object(node):
        if node.get("in") == "query":
            node["allowEmptyValue"] = True
        if node.get("type") == "array":
            node.pop("enum", None)


def _with_formats(schema: Any) -> Any:
    """A schema that asserts what is said of numbers, bytes and files in words."""
    if is_list(schema):
        return [_with_formats(item) for item in schema]
    if not is_object(schema):
        return schema
    changed = {k: _with_formats(v) for k, v in schema.items()}
    # What formats say is told to models, and JSON Schema does not assert it; the judge does.
    form = schema.get("format")
    if isinstance(form, str) and form in _BITS:
        most = 2 ** _BITS[form]
        changed = {"minimum": -most, "maximum": most - 1, **changed}
    if schema.get("contentEncoding") == "base64":
        changed = {"pattern": "^([A-Za-z0-9+/]{4})*$", **changed}
    if "As base64, or a data URL" in str(schema.get("description")):
        changed = {**changed, "enum": ["AP8=", "data:text/plain;base64,YQ=="]}
    return changed


def call_some(
    project: Path, document: dict[str, Any], service: Service, count: int
) -> list[str]:
    """Call ``count`` tools with instances of their schemas; return those that sent no request."""
    settings = yaml.safe_load((project / "brimgen.yaml").read_text())
    package = settings["package"]
    sys.path.insert(0, str(project / "out" / "python"))
    tools = import_module(f"{package}.http").HTTP_TOOLS
    sys.path.pop(0)
    files = sorted((project / "specs").glob("*.yaml"))
    unsent: list[str] = []
    for file in random.Random(1).sample(files, min(count, len(files))):
        spec = yaml.safe_load(file.read_text())
        service.api = _judge_of(document, spec, service.url)
        name = spec["name"]
        schemas = project / "out" / "python" / package / "schemas" / "tools"
        published = json.loads((schemas / f"{name}.input.json").read_text())
        instances = _instances(_with_formats(published))
        known = random.Random(name).sample(
            instances[1:], min(CALLS, len(instances[1:]))
        )
        sent = [_is_sent(tools[name], each) for each in [*instances[:1], *known]]
        if not any(sent):
            unsent.append(name)
    return unsent


def _instances(schema: Mapping[str, Any]) -> list[Any]:
    """Calls that a schema admits, the fullest first."""
    oracle = Oracle(schema)
    made = Instances(schema, oracle.accepts_part).of_schema(schema, 0)
    return [value for value in islice(made, 200) if oracle.accepts(value)]


def _is_sent(tool: Any, arguments: Any) -> bool:
    """Call a tool; return whether its request was sent."""
    outcome = tool.invoke(arguments, secrets=Secrets())
    code = "" if outcome.ok else outcome.error.code
    return code != "invalid_arguments"


def _calls(folder: Path, step: int, count: int) -> tuple[int, list[str], list[str]]:
    """Call tools of every ``step``-th document; how many requests came, the wrong, the unsent."""
    documents = benchmark()
    judged, wrong, unsent = 0, list[str](), list[str]()
    for name, text in [*documents.documents(Path(PLACE) / "documents", "")][::step]:
        document = _read(name, text)
        if "openapi" not in document:
            continue
        place = folder / name
        place.mkdir()
        (place / name).write_bytes(text)
        with serving() as service:
            command = ["import", name, "--into", "specs", "--server", service.url]
            assert documents.run(command, place, 300)[0] == 0
            assert documents.run(["generate"], place, 300)[0] == 0
            unsent += call_some(place, document, service, count)
        judged += service.judged
        wrong += service.wrong
    return judged, wrong, unsent


@pytest.mark.whole
def test_a_tool_sends_what_its_document_asks_for(tmp_path: Path) -> None:
    judged, wrong, unsent = _calls(tmp_path, 40, 3)
    assert (judged >= 20, wrong, unsent) == (True, [], [])


@pytest.mark.fuzz
def test_tools_of_20_services_send_what_their_documents_ask_for(tmp_path: Path) -> None:
    judged, wrong, unsent = _calls(tmp_path, 5, 5)
    assert (judged >= 350, wrong, unsent) == (True, [], [])

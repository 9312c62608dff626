"""One generated package with HTTP tools that speak to two servers on loopback."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from support.loopback import Loopback, loopback
from support.project import Built, build

SPECS = """\
type: entity
name: Item
fields: { id: int, name: string, price: { type: decimal, required: false } }
---
type: entity
name: Person
fields: { name: string, tags: "string[]", home: { type: Place, required: false } }
---
type: entity
name: Place
fields: { city: string }
---
type: http_function
name: get_item
arguments:
  inline:
    id: string
    lang: { type: string, required: false }
    tags: { type: "string[]", required: false }
secrets: [TOKEN]
allowedHosts: [HERE]
request:
  urlTemplate: http://HERE/items/${id}
  query: { lang: "${lang}", tag: "${tags}" }
  auth: { type: bearer, token: "${TOKEN}" }
  timeoutMs: 60000
  retry: { maxAttempts: 3, delayMs: 100, maxDelayMs: 2000 }
returns: Item
---
type: http_function
name: hurried_item
arguments: { inline: { id: string } }
allowedHosts: [HERE]
request:
  urlTemplate: http://HERE/items/${id}
  timeoutMs: 200
  retry: { maxAttempts: 3, delayMs: 1 }
returns: Item
---
type: http_function
name: await_item
arguments: { inline: { id: string } }
allowedHosts: [HERE]
request: { urlTemplate: "http://HERE/items/${id}" }
returns: Item
---
type: entity
name: Mood
enum: [calm, wild]
---
type: entity
name: Pet
fields:
  name: string
  mood: { type: Mood, required: false }
  legs: { type: int, enum: [2, 4], required: false }
---
type: http_function
name: get_pets
allowedHosts: [HERE]
request: { urlTemplate: "http://HERE/pets" }
response: { successCodes: [200] }
returns: "Pet[]"
---
type: http_function
name: exact_pets
allowedHosts: [HERE]
request: { urlTemplate: "http://HERE/pets" }
response: { successCodes: [200], strict_results: true }
returns: "Pet[]"
---
type: http_function
name: get_shape
arguments: { inline: {} }
allowedHosts: [HERE]
request: { urlTemplate: "http://HERE/shape" }
returns:
  inline:
    type: object
    properties:
      shape: { oneOf: [{ $ref: "#/$defs/Box" }, { $ref: "#/$defs/Ball" }, { type: "null" }] }
      again: { $ref: "#/properties/shape/oneOf/0" }
      pair: { type: array, prefixItems: [{ type: integer }], items: false }
      named:
        type: object
        patternProperties: { "^x-": { type: integer } }
        additionalProperties: false
      grade: { enum: [1, 2] }
    required: [shape]
    additionalProperties: false
    $defs:
      Box:
        type: object
        properties: { kind: { const: box }, side: { type: number } }
        required: [side]
        additionalProperties: false
      Ball:
        type: object
        properties: { kind: { const: ball }, side: { type: number }, radius: { type: number } }
        additionalProperties: false
---
type: http_function
name: any_item
arguments: { inline: { id: string } }
allowedHosts: [HERE]
request: { urlTemplate: "http://HERE/items/${id}" }
returns: Item?
---
type: http_function
name: add_item
arguments: { inline: { id: int, name: string, note: string? } }
secrets: [TOKEN]
allowedHosts: [HERE, THERE]
request:
  method: POST
  urlTemplate: http://HERE/items
  headers: { X-Key: "${TOKEN}" }
  body: { id: "${id}", label: "item ${name}", note: "${note}" }
  timeoutMs: 60000
returns: Item
---
type: http_function
name: add_item_twice
arguments: { inline: { id: int } }
allowedHosts: [HERE]
request:
  method: POST
  urlTemplate: http://HERE/items
  body: { id: "${id}" }
  retry: { anyMethod: true, delayMs: 1 }
---
type: http_function
name: roam
arguments: { inline: { host: string, path: { type: string, default: x } } }
secrets: [TOKEN]
allowedHosts: [HERE, THERE, "*.example.com"]
request:
  urlTemplate: http://${host}/v1/${path}
  auth: { type: api_key, in: header, name: X-Key, value: "${TOKEN}" }
  timeoutMs: 60000
returns: object
---
type: http_function
name: everywhere
arguments:
  inline:
    a: string
    b: string
    c: string
    d: string
    e: string
    f: string
allowedHosts: [HERE]
request:
  method: POST
  urlTemplate: http://HERE/p/${a}/v${b}.json?q=${c}
  headers: { X-Value: "${d}", X-Mixed: "v ${d}!" }
  query: { mixed: "<${e}>" }
  body: { whole: "${f}", part: "a ${f} b" }
returns: { type: string }
response: { encoding: text }
---
type: http_function
name: send_form
arguments: { inline: { who: Person, when: { type: date, default: 2026-02-03 }, more: "int[]?" } }
allowedHosts: [HERE]
request:
  method: PUT
  urlTemplate: http://HERE/people/${who.name}
  headers: { Content-Type: application/x-www-form-urlencoded }
  body: { tag: "${who.tags[0]}", city: "${who.home.city}", when: "on ${when}", n: "${more}" }
---
type: http_function
name: maybe_item
arguments: { inline: { id: int } }
secrets: [USER, PASSWORD]
allowedHosts: [HERE]
request:
  urlTemplate: http://HERE/items/${id}
  auth: { type: basic, username: "${USER}", password: "${PASSWORD}" }
response: { successCodes: [200], errorMode: empty }
returns: Item
---
type: http_function
name: keyed
arguments: { inline: { at: timestamp, ids: "uuid[]", amount: decimal, ok: bool } }
secrets: [KEY]
allowedHosts: [HERE]
request:
  urlTemplate: http://HERE/keyed?at=${at}&id=${ids}
  query: { amount: "${amount}", ok: "${ok}" }
  auth: { type: api_key, in: query, name: "api key", value: "${KEY}" }
returns: "Item[]"
"""


@dataclass(frozen=True)
class World:
    """The package, and the servers ``here`` and ``there`` that its tools may speak to."""

    built: Built
    here: Loopback
    there: Loopback

    def tool(self, name: str) -> Any:
        """The module of an HTTP tool."""
        return self.built.load(f"http.{name}")

    @property
    def http(self) -> Any:
        """The package of HTTP tools."""
        return self.built.load("http")

    def module(self, name: str) -> ModuleType:
        """A module of the HTTP runtime."""
        return import_module(f"brimgen_runtime.http.{name}")

    def options(self, **given: Any) -> tuple[Any, list[float]]:
        """Options whose pauses take no time, and the list in which they are kept."""
        pauses: list[float] = []
        clock = self.http.Clock(
            sleep=pauses.append, random=lambda: 1.0, today=lambda: 1_800_000_000.0
        )
        return self.http.Options(clock=clock, **given), pauses


@pytest.fixture(scope="session")
def _world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder: Path = tmp_path_factory.mktemp("http_calls")
    with loopback() as here, loopback() as there:
        text = SPECS.replace("THERE", f"localhost:{there.port}")
        text = text.replace("HERE", f"127.0.0.1:{here.port}")
        built = build(folder, {"all.yaml": text}, targets=("python", "http"))
        wrong = [x.message for x in built.diagnostics if x.rule.severity == "error"]
        assert [] == wrong
        built.load()
        yield World(built, here, there)


@pytest.fixture
def world(_world: World) -> World:
    """The package and its servers, which have heard nothing yet."""
    from support.loopback import answer

    _world.here.says(answer(500))
    _world.there.says(answer(500))
    return _world

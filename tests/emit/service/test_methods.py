"""The tools of a package as methods of its services: called, refused, and seen by checkers."""

from __future__ import annotations

import asyncio
import inspect
import sqlite3
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from support.checkers import MYPY, PYRIGHT, assert_clean, checked
from support.project import Built, build

SPEC = """\
type: entity
name: Kind
enum: [tea, cup]
---
type: entity
name: Item
fields: {name: string, price: decimal?}
---
type: sql_function
name: find_items
description: |-
  Find items.

  Of one kind only.
arguments:
  inline:
    least: {type: int, default: 0, maximum: 100}
    kind: Kind
    by: {type: string, from_context: app.user.name}
returns: Item[]
sql: SELECT name, price FROM items WHERE price >= :least AND kind = :kind AND by = :by
---
type: sql_function
name: rows
description: Find rows that have no entity.
returns: {type: "object[]", fields: {name: string, price: decimal}}
sql: SELECT name, price FROM items
---
type: sql_function
name: held
description: Find rows that hold an entity.
returns: {type: "object[]", fields: {item: {type: Item, embed: true}}}
sql: SELECT name AS item_name, price AS item_price FROM items
---
type: sql_function
name: rename
description: Rename. Writes to items.
arguments: {inline: {old: string, new: string}}
sql: UPDATE items SET name = :new WHERE name = :old
---
type: python_function
name: total
description: Add numbers.
arguments: {inline: {numbers: "int[]", from: {type: int, required: false}}}
returns: Item?
---
type: python_function
name: call
description: A name that the service has.
returns: int
---
type: python_function
name: list
description: A name that types have.
returns: string[]
---
type: python_function
name: class
description: A word of Python.
---
type: template_function
name: ask
description: Ask.
arguments: {inline: {topic: string}}
messages: [{role: user, content: "Tell me about {{ topic }}"}]
---
type: resource
name: page
path: /pages/{n}
arguments: {inline: {n: int}}
returns: markdown
"""
HANDLERS = {
    "total": lambda call: None,
    "call": lambda call: 1,
    "list": lambda call: ["a"],
    "class": lambda call: None,
    "page": lambda call: f"# {call.n}",
}
USE = """\
from decimal import Decimal
from typing_extensions import assert_type
from {package}.entities import Item, Kind
from {package}.service import AsyncService, Service


def use(service: Service) -> None:
    items = assert_type(service.find_items(Kind.TEA, least=5), list[Item])
    assert_type(items[0].price, Decimal | None)
    assert_type(service.rows()[0]["price"], Decimal)
    assert_type(service.held()[0]["item"], Item)
    assert_type(service.rename(old="a", new="b"), int)
    assert_type(service.total(numbers=[1], from_=2), Item | None)
    assert_type(service.call_(), int)
    assert_type(service.list_(), list[str])
    service.class_()
    assert_type(service.ask(topic="tea")[0].text, str)
    assert_type(service.page(n=1), str)


async def await_all(service: AsyncService) -> None:
    assert_type(await service.find_items(Kind.TEA), list[Item])
    assert_type(await service.rename(old="a", new="b"), int)
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    made = build(tmp_path_factory.mktemp("methods"), {"a.yaml": SPEC})
    assert [] == [e.message for e in made.diagnostics if e.rule.severity == "error"]
    made.load()
    return made


@pytest.fixture
def options(tmp_path: Path) -> dict[str, Any]:
    """The settings of a service that lacks nothing."""
    path = tmp_path / "items.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE TABLE items (name TEXT, price NUMERIC, kind TEXT, by TEXT);"
            "INSERT INTO items VALUES ('a', 12.5, 'tea', 'Ada'), ('b', 3, 'cup', 'Ada');"
        )
    return {
        "connections": {"default": path},
        "handlers": HANDLERS,
        "context": {"app": {"user": {"name": "Ada"}}},
    }


def test_each_tool_is_a_method_that_gives_values_of_python(
    built: Built, options: dict[str, Any]
) -> None:
    service, entities = built.load("service").Service(**options), built.load("entities")
    found = [entities.Item(name="a", price=Decimal("12.5"))]
    assert found == service.find_items(entities.Kind.TEA, least=5)
    assert found == service.find_items(kind="tea")
    assert {"name": "b", "price": Decimal(3)} in service.rows()
    assert 1 == service.rename(old="a", new="z")
    assert service.total(numbers=[1]) is None
    assert (1, ["a"], None) == (service.call_(), service.list_(), service.class_())
    assert "Tell me about tea" == service.ask(topic="tea")[0].text
    assert "# 7" == service.page(n=7)
    assert "Find items.\n\nOf one kind only." == service.find_items.__doc__
    assert ["kind", "least"] == [*inspect.signature(service.find_items).parameters]


def test_methods_of_an_async_service_are_awaited(
    built: Built, options: dict[str, Any]
) -> None:
    module = built.load("service")

    async def run() -> tuple[Any, ...]:
        service = module.AsyncService(**options)
        items = await service.find_items(kind="tea")
        return items[0].name, await service.list_(), await service.page(n=1)

    assert ("a", ["a"], "# 1") == asyncio.run(run())


def test_no_tool_takes_the_place_of_what_a_service_has(built: Built) -> None:
    """Each public name of a service is reserved, so a new one renames no method by accident."""
    from brimgen.emit.service.lower import RESERVED
    from brimgen_runtime.service.async_service import AsyncService
    from brimgen_runtime.service.service import Service

    own = {name for name in {*dir(Service), *dir(AsyncService)} if name[0] != "_"}
    assert own <= RESERVED
    module = built.load("service")
    assert module.Service.call is Service.call
    assert {"class": "class_", "call": "call_", "list": "list_"} == module.PLAN.methods


@pytest.mark.whole
def test_checkers_know_each_argument_and_each_result(
    built: Built, tmp_path: Path
) -> None:
    packages = built.out / "python"
    (tmp_path / "use.py").write_text(USE.format(package=built.package))
    config = f'{{"typeCheckingMode": "strict", "extraPaths": ["{packages}"]}}'
    (tmp_path / "pyrightconfig.json").write_text(config)
    assert_clean(tmp_path, "use.py", by=[MYPY], packages=packages)
    assert_clean(tmp_path, "use.py", by=[PYRIGHT])
    wrong = USE.replace("least=5", 'least="5"').replace("old=", "odd=")
    (tmp_path / "wrong.py").write_text(wrong.format(package=built.package))
    said = checked(tmp_path, MYPY, "wrong.py", packages=packages).stdout
    assert 'expected "int"' in said
    assert 'Unexpected keyword argument "odd"' in said

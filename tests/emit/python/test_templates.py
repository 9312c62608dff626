"""Each template, with a view made by hand, against the text that it must make of it."""

from __future__ import annotations

from brimgen.emit.code import Code
from brimgen.emit.python.view import (
    PyClass,
    PyEnum,
    PyModule,
    PyPackage,
)
from brimgen.emit.render import render

ENUM = PyEnum(
    head=Code("class Status(StrEnum):"),
    documentation=Code('"""Where an order stands."""'),
    members=(Code('OPEN = "open"'), Code('PAID = "paid"')),
    table=Code('STATUS_BY_VALUE = {"open": Status.OPEN}'),
)
CLASS = PyClass(
    head=Code("class Point(JsonObject):"),
    documentation=Code('"""A place."""'),
    fields=(
        Code('lat: float\n    """North."""'),
        Code("lon: float"),
    ),
    methods=(
        Code('def one(self) -> int:\n        """One."""\n        return 1'),
        Code(
            '@classmethod\n    def two(cls) -> int:\n        """Two."""\n'
            "        found = 2\n        return found"
        ),
    ),
    functions=(Code('def three() -> int:\n    """Three."""\n    return 3'),),
)


def test_a_module_is_printed_in_order() -> None:
    view = PyModule(
        header=Code("# one\n# two\n"),
        documentation=Code('"""A module."""'),
        imports=Code("import a\nimport b\n\nfrom . import c"),
        statements_before=(Code("A = 1"), Code("B = 2")),
        functions=(Code("def f() -> int:\n    return 1"),),
        enums=(ENUM,),
        classes=(CLASS,),
        statements_after=(Code("C = 3"), Code("D = 4")),
    )
    assert MODULE == render("python/module.py.j2", view)


def test_a_module_of_nothing_but_a_docstring() -> None:
    view = PyModule(
        header=Code("# one\n# two\n"),
        documentation=Code('"""Nothing."""'),
        imports=Code(""),
        statements_before=(),
        functions=(),
        classes=(),
        statements_after=(),
    )
    expected = '# one\n# two\n"""Nothing."""\n'
    assert expected == render("python/module.py.j2", view)


def test_a_class_without_fields() -> None:
    view = PyModule(
        header=Code("# one\n# two\n"),
        documentation=Code('"""One class."""'),
        imports=Code(""),
        statements_before=(),
        functions=(),
        classes=(
            PyClass(
                head=Code("class Empty(JsonObject):"),
                documentation=Code('"""Nothing."""'),
                fields=(),
                methods=CLASS.methods[:1],
            ),
        ),
        statements_after=(),
    )
    assert EMPTY == render("python/module.py.j2", view)


def test_a_package_exports_its_tools_and_types() -> None:
    view = PyPackage(
        header=Code("# one\n# two\n"),
        type_imports=(Code("from .entities import Point"),),
        tools=Code('{"ping": ".tools.ping"},'),
        homes=Code('_HOMES = {"Point": ".entities"}'),
        exported=Code('__all__ = ["TOOLS", "Point"]'),
    )
    text = render("python/package.py.j2", view)
    assert text.startswith(PACKAGE)
    compile(text, "package", "exec")


def test_a_package_without_classes_imports_nothing_for_types() -> None:
    view = PyPackage(
        header=Code("# one\n# two\n"),
        type_imports=(),
        tools=Code("{},"),
        homes=Code("_HOMES: dict[str, str] = {}"),
        exported=Code('__all__ = ["TOOLS"]'),
    )
    assert "TYPE_CHECKING" not in render("python/package.py.j2", view)


MODULE = '''\
# one
# two
"""A module."""

import a
import b

from . import c

A = 1

B = 2


def f() -> int:
    return 1


class Status(StrEnum):
    """Where an order stands."""

    OPEN = "open"
    PAID = "paid"


STATUS_BY_VALUE = {"open": Status.OPEN}


@dataclass(slots=True, repr=False, eq=False)
class Point(JsonObject):
    """A place."""

    lat: float
    """North."""
    lon: float

    def one(self) -> int:
        """One."""
        return 1

    @classmethod
    def two(cls) -> int:
        """Two."""
        found = 2
        return found


def three() -> int:
    """Three."""
    return 3


C = 3

D = 4
'''

EMPTY = '''\
# one
# two
"""One class."""


@dataclass(slots=True, repr=False, eq=False)
class Empty(JsonObject):
    """Nothing."""

    def one(self) -> int:
        """One."""
        return 1
'''

PACKAGE = '''\
# one
# two
"""Typed tools: ``TOOLS`` by name, and their classes, loaded on first use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._runtime import ContextError, InputError, Tools, Violation

if TYPE_CHECKING:
    from .entities import Point

TOOLS = Tools(
    __name__,
    {"ping": ".tools.ping"},
)

_HOMES = {"Point": ".entities"}

__all__ = ["TOOLS", "Point"]
'''

"""Forms: compiled templates, rendered without jinja2, and kept in the user's cache folder.

jinja2 compiles a template to a generator function, which asks its environment for a handful of
things. `Surroundings` gives it these, so that a run whose templates have been compiled before
imports no jinja2 at all: neither it nor the compiling. Loops with ``loop``, macros and imports of
templates want more; what uses them is left to jinja2 (`is_plain`).

A form is kept by the text that it was made from and by whatever else it rests on. One that is of
something else, damaged, or not the user's own, is as if it were not there: it is code that runs.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib.machinery import PathFinder
from types import CodeType
from typing import Any, NoReturn, Protocol

from brimgen.stamp.digest import write_whole
from brimgen.stamp.evidence import cache_folder, own_bytes, packed, unpacked

FOLDER = "templates"
"""Of the cache folder: a file for each template."""

_LAYOUT = 1
_ASKED = frozenset(
    {
        *("KeyError", "TemplateRuntimeError", "Undefined", "blocks", "close", "concat"),
        *("context", "debug_info", "environment", "filters", "finalize", "get_all"),
        *("get_template", "getattr", "internalcode", "missing", "name", "new_context"),
        *("resolve_or_missing", "root", "root_render_func", "str", "undefined"),
    }
)
_MISSING = object()


class Context:
    """The variables of a template, by name."""

    def __init__(self, values: Mapping[str, object]) -> None:
        self._values = values

    def resolve_or_missing(self, name: str) -> object:
        """The value of a variable."""
        return self._values.get(name, _MISSING)

    def get_all(self) -> Mapping[str, object]:
        """All variables, for a template that is included."""
        return self._values


class Loaded(Protocol):
    """What `render` and templates that include others ask of a template, jinja2's among them."""

    @property
    def root_render_func(self) -> Callable[[Any], Iterator[str]]:
        """The parts of the text that the template makes in a context."""
        ...

    def new_context(
        self, vars: dict[str, Any] | None, shared: bool, locals: Any = None, /
    ) -> Any:
        """A context of these variables, and of those that are local where it is included."""
        ...


class Surroundings:
    """What a compiled template calls its environment."""

    getattr = staticmethod(getattr)

    def __init__(
        self,
        filters: Mapping[str, Callable[..., str]],
        finalize: Callable[[Any], object],
        template: Callable[[str], Loaded],
    ) -> None:
        self.filters = filters
        self.finalize = finalize
        self._template = template
        self.concat = "".join

    def get_template(self, name: str, parent: str | None = None) -> Loaded:
        """A template that another one, ``parent``, includes."""
        return self._template(name)

    def undefined(self, *, name: str) -> NoReturn:
        """Refuse a name that no variable has."""
        raise NameError(f"a template names {name!r}, which is undefined")


class Form:
    """A compiled template."""

    def __init__(self, code: CodeType, surroundings: Surroundings) -> None:
        known: dict[str, Any] = {
            "environment": surroundings,
            "missing": _MISSING,
            "Undefined": None,
        }
        exec(code, known)
        self.root_render_func: Callable[[Context], Iterator[str]] = known["root"]

    def new_context(
        self,
        vars: Mapping[str, object] | None,
        shared: bool,
        locals: Mapping[str, object] | None = None,
        /,
    ) -> Context:
        """The variables of a call, and those that are local where the template is included."""
        return Context({**(vars or {}), **(locals or {})})


def is_plain(code: CodeType) -> bool:
    """Whether a compiled template asks for nothing but what `Surroundings` gives."""
    inner = [each for each in code.co_consts if isinstance(each, CodeType)]
    return {*code.co_names} <= _ASKED and all(map(is_plain, inner))


class Shelf:
    """Where forms are kept between runs; nowhere, where there is no cache folder."""

    def __init__(self) -> None:
        home = cache_folder()
        self._folder = None if home is None else os.path.join(home, FOLDER)
        self._maker = _compiler()

    def read(self, name: str, source: str) -> CodeType | None:
        """The form of the template ``name`` if one of the text ``source`` is kept."""
        try:
            data = own_bytes(self._path(name))
            content: Any = None if data is None else unpacked(data)
            if content is not None and content[:-1] == self._key(source):
                code = marshal.loads(content[-1])
                return code if isinstance(code, CodeType) else None
        except (OSError, ValueError, EOFError, TypeError):
            pass
        return None

    def keep(self, name: str, source: str, code: CodeType) -> None:
        """Keep a form for later runs, if possible."""
        if self._folder is None or self._maker is None:
            return
        try:
            os.makedirs(self._folder, mode=0o700, exist_ok=True)
        except OSError:
            return
        data = packed((*self._key(source), marshal.dumps(code)))
        write_whole(self._path(name), data)

    def _path(self, name: str) -> str:
        if self._folder is None or self._maker is None:
            raise FileNotFoundError(name)
        plain = name.replace("/", "-")
        file = f"{plain}.{sys.implementation.cache_tag}"
        return os.path.join(self._folder, file)

    def _key(self, source: str) -> tuple[object, ...]:
        return _LAYOUT, sys.hexversion, self._maker, source


def _compiler() -> bytes | None:
    """The front of jinja2, which holds its version; None where it cannot be read."""
    found = PathFinder.find_spec("jinja2")
    try:
        with open(found.origin if found and found.origin else "", "rb") as stream:
            return stream.read()
    except OSError:
        return None

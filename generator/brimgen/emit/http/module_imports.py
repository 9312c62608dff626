"""Collect the names that a generated module uses, and write its import statements."""

from __future__ import annotations

from brimgen.emit.code import Code
from brimgen.emit.codecs.python import MODULES
from brimgen.emit.imports import import_sections
from brimgen.emit.runtime_names import RUNTIME, home_of
from brimgen.frozen import dataclass, field

_HOMES = {
    "_call": ("HttpCall",),
    "_plan": ("Plan", "Retry"),
    "_template": (
        *("Arg", "Basic", "Bearer", "FormBody", "Hmac", "JsonBody", "Key"),
        *("MultipartBody", "OAuth2", "Secret", "Template", "TextBody"),
    ),
}
_HOME_OF = {
    name: f"{RUNTIME}.http.{home}" for home, names in _HOMES.items() for name in names
} | {"Host": f"{RUNTIME}.grammar.hosts"}
_STANDARD = {
    **{name: home for name, home in MODULES.items() if home != "datetime"},
    "Final": "typing",
    "Literal": "typing",
    "NotRequired": "typing",
    "TypedDict": "typing",
    "UUID": "uuid",
}
NAMES = frozenset([*_HOME_OF, *_STANDARD])
"""The names that modules of HTTP tools import, each from one place."""


@dataclass(frozen=True, slots=True)
class Imports:
    """The names that a module uses; each is requested where it is written."""

    taken: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    modules: set[str] = field(default_factory=set[str])

    def name(self, name: str) -> Code:
        """Import ``name`` from the standard library or from the HTTP runtime."""
        home = _STANDARD.get(name) or _HOME_OF[name]
        return self.of(home, name)

    def runtime(self, name: str) -> Code:
        """Import ``name`` from the runtime."""
        return self.of(home_of(name), name)

    def of(self, source: str, name: str) -> Code:
        """Import ``name`` from ``source``."""
        self.taken.setdefault(source, set()).add(name)
        return Code(name)

    def datetime(self) -> Code:
        """Import the module of dates as ``dt``."""
        self.modules.add("import datetime as dt")
        return Code("dt")

    def lines(self) -> tuple[Code, ...]:
        """Return the import statements in the order that ruff keeps."""
        pairs = [(home, name) for home, names in self.taken.items() for name in names]
        return import_sections(pairs, map(Code, sorted(self.modules)))

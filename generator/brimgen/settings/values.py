"""Check the values of a configuration file, and report each wrong one."""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import TypeVar

from brimgen.diagnostics import Diagnostics, Span, did_you_mean
from brimgen.diagnostics.rules import UNKNOWN_SETTING, WRONG_SETTING
from brimgen.model.fields import Zone
from brimgen.model.project import PROFILES, Formatter, Project
from brimgen.model.targets import model_flavours
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode
from brimgen_runtime.grammar.hosts import Host, parse_host

LONGEST_PACKAGE = 64
_MOST_LISTED = 30
"""More names than these do not help to find a misspelt one."""
_DEVICE = re.compile(r"con|prn|aux|nul|(?:com|lpt)[0-9]", re.IGNORECASE)
_IMPORTED = frozenset(
    {
        *("brimgen", "httpx", "mcp", "msgspec", "pydantic", "requests", "urllib3"),
        *("typing_extensions", "MySQLdb", "aiomysql", "aiosqlite", "apsw"),
        *("asyncmy", "asyncpg", "pg8000"),
        *("clickhouse_connect", "databricks", "duckdb", "google", "mariadb", "mysql"),
        *("oracledb", "psycopg", "psycopg2", "pymysql", "pyodbc", "snowflake"),
        *("sqlalchemy",),
    }
)
"""brimgen itself, and the packages that generated code or its drivers import."""

_NOTHING = MapNode(Span.at_file(""), ())
_T = TypeVar("_T")


class SettingReader:
    """Takes settings out of a mapping; a wrong one is reported and left at its default.

    ``-`` and ``_`` are one in names. Call `report_unknown` last: it reports the settings that
    nothing took.
    """

    def __init__(
        self, root: MapNode, diagnostics: Diagnostics, *, prefix: str = ""
    ) -> None:
        self._entries = {
            entry.key.text.replace("-", "_"): entry for entry in root.entries
        }
        self._known: list[str] = []
        self._prefix = prefix
        self.diagnostics = diagnostics

    def take(
        self,
        name: str,
        read: Callable[[Node], _T | None],
        expected: str,
        default: _T,
        *,
        known: Collection[str] = (),
        actual: str = "",
    ) -> _T:
        """The setting ``name`` as ``read`` understands it (None: it does not), or ``default``.

        ``known`` are the words that ``read`` takes, where it takes no others; ``actual`` says what
        stands there instead.
        """
        entry = self.entry(name)
        if entry is None:
            return default
        value = read(entry.value)
        if value is None:
            near = _intended_values(entry.value, read, known)
            self.report_wrong(name, expected, entry.value, near=near, actual=actual)
            return default
        return value

    def take_list(
        self,
        name: str,
        read: Callable[[Node], _T | None],
        expected: str,
        *,
        known: Collection[str] = (),
    ) -> tuple[_T, ...] | None:
        """A list of what ``read`` understands; None where the setting is absent or wrong.

        Each wrong item is reported at its own place.
        """
        entry = self.entry(name)
        if entry is None:
            return None
        node = entry.value
        if not isinstance(node, ListNode):
            from brimgen.settings.setting_errors import intended_list

            near = intended_list(node, read, known)
            self.report_wrong(name, expected, node, near=near)
            return None
        values = [read(item) for item in node.items]
        for value, item in zip(values, node.items, strict=True):
            if value is None:
                near = _intended_values(item, read, known)
                self.report_wrong(name, expected, item, near=near, is_item=True)
        accepted = tuple(value for value in values if value is not None)
        return accepted if len(accepted) == len(values) else None

    def mapping(self, name: str) -> SettingReader:
        """Return the reader of the settings under ``name``; it has none where these are absent."""
        entry = self.entry(name)
        node = entry.value if entry else _NOTHING
        if not isinstance(node, MapNode):
            self.report_wrong(name, "a mapping", node)
            node = _NOTHING
        return SettingReader(node, self.diagnostics, prefix=f"{self._prefix}{name}.")

    def value(self, name: str) -> Node | None:
        """Return the value of the setting ``name``, or None; the setting is still to be taken."""
        entry = self._entries.get(name)
        return None if entry is None else entry.value

    def entry(self, name: str) -> Entry | None:
        """Return the entry of the setting ``name``, or None."""
        self._known.append(name)
        return self._entries.pop(name, None)

    def report_wrong(
        self,
        name: str,
        expected: str,
        node: Node,
        *,
        near: Sequence[str] = (),
        actual: str = "",
        is_item: bool = False,
    ) -> None:
        """Report a setting of the wrong kind or value.

        ``actual`` says what ``node`` is, ``is_item`` that it is an item of the setting.
        """
        from brimgen.settings.setting_errors import in_words

        actual = actual or in_words(node)
        self.diagnostics.add(
            WRONG_SETTING,
            node.span,
            suggestions=near,
            name=self.full_name(name),
            expected=expected,
            got=f"of {actual}" if is_item else actual,
        )

    def full_name(self, name: str) -> str:
        """The setting ``name`` with the names of the mappings that it stands in."""
        return self._prefix + name

    def report_unknown(self) -> None:
        """Report every setting that was not read."""
        for name, entry in self._entries.items():
            near = self._similar_setting(name)
            known = dict.fromkeys(self._known)
            lists = not near and len(known) <= _MOST_LISTED
            self.diagnostics.add(
                UNKNOWN_SETTING,
                entry.key.span,
                name=self._prefix + entry.key.text,
                among=f": there are {', '.join(known)}" if lists else "",
                suggestions=near,
            )

    def _similar_setting(self, name: str) -> tuple[str, ...]:
        word = _OTHER_WORDS.get(name.casefold())
        if word in self._known and not self._prefix:
            return (word,)
        return did_you_mean(name, self._known)


def _intended_values(
    node: Node, read: Callable[[Node], object], known: Collection[str]
) -> tuple[str, ...]:
    from brimgen.settings.setting_errors import intended_values

    return intended_values(node, read, known)


_OTHER_WORDS = {
    "output": "out",
    "output_dir": "out",
    "output_folder": "out",
    "out_dir": "out",
    "input": "specs",
    "source": "specs",
    "emitters": "targets",
    "formats": "format",
}
"""Names of settings in other tools that are not near their names here."""


RUNTIMES = ("installed", "vendored")
"""Where the runtime of a generated package is: beside it, or copied into it."""


def take_project(reader: SettingReader) -> Project:
    """The settings that the model knows: those about meaning and output."""
    default = Project()
    return Project(
        package=_take_package(reader, default.package),
        closed=take_flag(reader, "closed", default.closed),
        formatter=Formatter(
            take_choice(reader, "formatter", [*Formatter], default.formatter)
        ),
        strict_results=take_flag(reader, "strict_results", default.strict_results),
        is_vendored=take_choice(reader, "runtime", RUNTIMES, RUNTIMES[0])
        == RUNTIMES[1],
        models=take_names(reader, "models", model_flavours()) or default.models,
        allowed_hosts=reader.take_list("allowed_hosts", _host, "a list of hosts")
        or default.allowed_hosts,
        tz=Zone(take_choice(reader, "tz", [zone.value for zone in Zone], default.tz)),
        profiles=take_names(reader, "profiles", PROFILES) or default.profiles,
        include_disabled=take_flag(
            reader, "include_disabled", default.include_disabled
        ),
    )


def _take_package(reader: SettingReader, default: str) -> str:
    node = reader.value("package")
    fault = package_fault(node.text) if isinstance(node, ScalarNode) else None
    actual = (
        f"`{node.text}`, which {fault}"
        if isinstance(node, ScalarNode) and fault
        else ""
    )
    expected = "the name of a Python package"
    return reader.take("package", _package, expected, default, actual=actual)


def take_names(
    reader: SettingReader, name: str, known: Collection[str]
) -> tuple[str, ...] | None:
    """A list of ``known`` words, each once; None where the setting is absent or wrong."""
    expected, node = f"a list of {_listing(known)}", reader.value(name)
    read = partial(_choice, known=known)
    names = reader.take_list(name, read, expected, known=known)
    if names == () and node is not None:
        reader.report_wrong(name, expected, node)
    return tuple(dict.fromkeys(names)) if names else None


def take_choice(
    reader: SettingReader, name: str, known: Collection[str], default: str
) -> str:
    """One of ``known`` words."""
    expected = f"one of {_listing(known)}"
    read = partial(_choice, known=known)
    return reader.take(name, read, expected, default, known=known)


def take_flag(reader: SettingReader, name: str, default: bool) -> bool:
    """True or false."""
    return reader.take(name, _bool, "true or false", default)


def take_text(reader: SettingReader, name: str, default: str) -> str:
    """A text that is not empty and that can be a path."""
    return reader.take(name, path_text, "a text", default)


def package_fault(name: str) -> str | None:
    """Why ``name`` cannot be the name of a generated package; None where it can.

    It is a folder and a module that stands beside those of others: what hides a module of the
    standard library, or what some file systems cannot hold, would break more than itself.
    """
    if not (name.isascii() and name.isidentifier()):
        return "is not a Python identifier in ASCII"
    if len(name) > LONGEST_PACKAGE:
        return f"has more than {LONGEST_PACKAGE} characters"
    if keyword.iskeyword(name) or keyword.issoftkeyword(name):
        return "is a word of Python itself"
    if name.startswith("__"):
        return "is a name that Python keeps for itself"
    if name in sys.stdlib_module_names:
        return "is a module of Python's standard library"
    if name in _IMPORTED:
        return "would hide the package of that name, which a program beside it imports"
    if _DEVICE.fullmatch(name):
        return "is the name of a device on Windows"
    return None


def _host(node: Node) -> Host | None:
    text = _text(node)
    return None if text is None else parse_host(text)


def _package(node: Node) -> str | None:
    name = _text(node)
    return name if name is not None and package_fault(name) is None else None


def _text(node: Node) -> str | None:
    if isinstance(node, ScalarNode) and isinstance(node.value, str):
        return node.value or None
    return None


def path_text(node: Node) -> str | None:
    """Return a text that can be a path; None if it is none, or empty."""
    text = _text(node)
    return None if text is None or "\0" in text else text


def positive_count(node: Node) -> int | None:
    """Return a whole number of at least 1; None if it is none."""
    value = node.value if isinstance(node, ScalarNode) else None
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if value >= 1 else None


def _bool(node: Node) -> bool | None:
    if isinstance(node, ScalarNode) and isinstance(node.value, bool):
        return node.value
    return None


def _choice(node: Node, known: Collection[str]) -> str | None:
    text = _text(node)
    return text if text in known else None


def _listing(known: Collection[str]) -> str:
    return ", ".join(f"`{word}`" for word in known)

"""The table of settings: which there are, and the shapes of their values."""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Mapping
from typing import Any

from brimgen.diagnostics import Diagnostics, Rule, Severity, Span, did_you_mean
from brimgen.diagnostics.rules import UNKNOWN_SETTING, WRONG_SETTING
from brimgen.lint.options import ALL, RULES, rules_named
from brimgen.model.fields import Zone
from brimgen.model.project import Formatter
from brimgen.model.targets import model_flavours, profile_names
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode
from brimgen.syntax import shapes
from brimgen.syntax.reader import (
    Keys,
    Reader,
    Section,
    Shape,
    read_section,
    renamed,
)
from brimgen_runtime.grammar.hosts import parse_host

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


class SettingsReader(Reader):
    """Reports mistakes as those of settings; ``prefix`` are the names of the mappings around."""

    __slots__ = ("prefix",)

    def __init__(self, diagnostics: Diagnostics, prefix: str = "") -> None:
        super().__init__(diagnostics)
        self.prefix = prefix

    def refusal(
        self,
        item: str,
        key: str,
        node: Node,
        expected: str,
        actual: str,
        is_choice: bool,
    ) -> tuple[Rule, dict[str, Any]]:
        """Return the rule of a refused setting, and what its message says."""
        return WRONG_SETTING, {
            "name": f"{item}setting `{self.prefix}{key}`",
            "expected": expected,
            "got": actual or in_words(node),
        }

    def within(self, name: str) -> SettingsReader:
        """The reader of the mapping ``name``."""
        return SettingsReader(self.diagnostics, f"{self.prefix}{name}.")

    def inner(self, outer: Section, key: str) -> Section:
        """Read the settings of the mapping ``key`` of ``outer``."""
        name = f"{self.prefix}{key}."
        reader = SettingsReader(self.diagnostics, name)
        return reader.read(outer.node(key), SETTINGS[name])

    def read(self, node: Node | None, keys: Keys) -> Section:
        """Read the settings of a mapping, in whose names ``-`` and ``_`` are one."""
        root = node if isinstance(node, MapNode) else _NOTHING
        entries = [_underscored(entry, keys) for entry in root.entries]
        section = read_section(
            self,
            MapNode(root.span, tuple(entries)),
            keys=keys,
            owner=self.prefix,
            refuse=_refuse_unknown,
        )
        for entry in section.extensions:
            _refuse_unknown(self, entry, owner=self.prefix, keys=keys)
        return section


def _underscored(entry: Entry, keys: Keys) -> Entry:
    name = entry.key.text.replace("-", "_")
    return renamed(entry, name) if name in keys.shapes else entry


def _refuse_unknown(
    reader: Reader, entry: Entry, /, *, owner: str, keys: Keys
) -> str | None:
    """Report a setting that does not exist; ``owner`` is what stands before its name."""
    word, known = entry.key.text, keys.shapes
    gone = GONE.get(owner + word.replace("-", "_"), "")
    other = _OTHER_WORDS.get(word.casefold(), "")
    near = (other,) if other in known and not owner else did_you_mean(word, known)
    lists = not near and len(known) <= _MOST_LISTED
    among = f": there are {', '.join(known)}" if lists else ""
    reader.report(
        UNKNOWN_SETTING,
        entry.key.span,
        suggestions=() if gone else near,
        name=owner + word,
        among=f": it was removed; {gone}" if gone else among,
    )
    return None


def in_words(node: Node) -> str:
    """Describe a value for a message."""
    match node:
        case MapNode():
            return "a mapping"
        case ListNode(items=()):
            return "an empty list"
        case ListNode(items=items):
            return "a list of " + ", ".join(in_words(item) for item in items)
        case ScalarNode(text=text):
            return f"`{text}`" if text else "nothing"


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


def said(reader: Reader, key: str, node: Node) -> bool:
    """A text that is not blank, and that can be a path."""
    if not shapes.text(reader, key, node):
        return False
    text = node.text if isinstance(node, ScalarNode) else ""
    is_sound = text.strip() != "" and "\0" not in text
    return is_sound or reader.refuse(key, node, expected="text")


def _package(reader: Reader, key: str, node: Node) -> bool:
    is_text = isinstance(node, ScalarNode) and isinstance(node.value, str)
    text = node.text if isinstance(node, ScalarNode) and is_text else ""
    fault = package_fault(text)
    if fault is None:
        return True
    plain = re.sub(r"[^A-Za-z0-9_]+", "_", text)
    return reader.refuse(
        key,
        node,
        expected="the name of a Python package",
        suggestions=(plain,) if package_fault(plain) is None else (),
        actual=f"`{text}`, which {fault}" if text else "",
    )


def _host(reader: Reader, key: str, node: Node) -> bool:
    text = node.text if isinstance(node, ScalarNode) else ""
    host = text.partition("://")[2].partition("/")[0]
    return parse_host(text) is not None or reader.refuse(
        key, node, expected="a host", suggestions=(host,) if parse_host(host) else ()
    )


def _rule(reader: Reader, key: str, node: Node) -> bool:
    text = node.text if isinstance(node, ScalarNode) else ""
    return bool(rules_named(text)) or reader.refuse(
        key,
        node,
        expected="a lint rule by code or name, such as `L602`",
        suggestions=shapes.intended_words(text, (*_RULES, ALL)),
    )


def _dialect(reader: Reader, key: str, node: Node) -> bool:
    from brimgen.sql import DIALECTS, find_dialect

    text = node.text if isinstance(node, ScalarNode) else ""
    return find_dialect(text) is not None or reader.refuse(
        key,
        node,
        expected=f"one of {', '.join(f'`{name}`' for name in DIALECTS)}",
        suggestions=shapes.intended_words(text, DIALECTS),
    )


def _keys(**settings: Shape) -> Keys:
    return Keys(settings, nullable=frozenset(settings))


def _some(*words: str) -> Shape:
    return shapes.Each(shapes.Choice(words), least=1)


_RULES = {
    word: rule.code for rule in RULES for word in (rule.code, rule.slug, rule.reason)
}
SEVERITIES: Mapping[str, str] = {
    word.replace("-", "_"): code for word, code in _RULES.items()
}
"""The words for a lint rule, and its code."""
SEVERITY = _keys(**dict.fromkeys(SEVERITIES, shapes.choice(*Severity)))
PROJECT = _keys(
    specs=said,
    out=said,
    package=_package,
    sources=shapes.Each(said),
    targets=shapes.anything,
    templates=said,
    custom=shapes.Each(shapes.mapping),
    formatter=shapes.choice(*Formatter),
    models=_some(*model_flavours()),
    closed=shapes.flag,
    tz=shapes.choice(*(zone.value for zone in Zone)),
    strict_results=shapes.flag,
    include_disabled=shapes.flag,
    runtime=shapes.choice("installed", "vendored"),
    allowed_hosts=shapes.Each(_host),
    connections=shapes.mapping,
    descriptors=shapes.mapping,
    catalogue=shapes.mapping,
    server=shapes.mapping,
    lint=shapes.mapping,
)
CUSTOM = _keys(name=shapes.text, template=shapes.text, path=said)
CONNECTION = _keys(
    dialect=_dialect,
    drivers=shapes.Each(shapes.text, least=1),
    target=shapes.word,
    schema=shapes.anything,
)
DESCRIPTORS = _keys(
    profiles=_some(*profile_names()),
)
CATALOGUE = _keys(public=shapes.flag)
SERVER = _keys(title=said, instructions=said)
LINT = _keys(
    select=shapes.Each(_rule), ignore=shapes.Each(_rule), severity=shapes.mapping
)
SETTINGS: Mapping[str, Keys] = {
    "": PROJECT,
    "custom.": CUSTOM,
    "connections.NAME.": CONNECTION,
    "descriptors.": DESCRIPTORS,
    "catalogue.": CATALOGUE,
    "server.": SERVER,
    "lint.": LINT,
    "lint.severity.": SEVERITY,
}
"""Every setting, by the names of the mappings that it stands in."""
GONE: Mapping[str, str] = {
    "custom.for": "the `path` says it, by `tool` or `entity`",
    "descriptors.strict_loss": "write the option `--strict-loss`",
    "descriptors.token_budget": "`brimgen list --tokens` says what each set takes",
    "descriptors.tool_budget": "each schema may take 8,000 tokens",
    "format": "write the option `--format`",
    "lint.imported": "remove `x-imported-from` from the specs that are to be judged",
    "lint.limits": "name the rules to be left out under `lint.ignore`",
    "mcp": "a tool has an `outputSchema` where it helps its callers",
    "profiles": "the tools say it themselves, with `profiles`",
    "server.version": "it is that of the installed distribution with the name of the package",
    "source_roots": "modules are looked up beside the configuration and in `src`",
}
"""Settings of earlier versions, and what to do instead."""

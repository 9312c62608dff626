"""The project: what the configuration says about meaning and output."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from brimgen.frozen import dataclass, field
from brimgen.model.fields import Zone
from brimgen_runtime.grammar.hosts import Host


@dataclass(frozen=True, slots=True)
class SchemaFile:
    """A file of CREATE statements: the way to it from beside the specs, and its text."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class SchemaSource:
    """Where the tables of a connection are described.

    ``files`` are DDL files, dumps and migrations in the order in which they are applied,
    ``folders`` those that were searched for migrations, named as the files are.
    """

    files: tuple[SchemaFile, ...]
    folders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Connection:
    """A configured database connection: its SQL dialect and the drivers to write text for.

    Statements are checked against its ``schema``, which also says what `returns: rows` means. They
    are verified by the ``database`` of that URL, too; no byte of the output depends on that.
    ``target`` is what the command line of the package opens: a file, a DSN, or ``env:NAME``.
    """

    dialect: str
    drivers: tuple[str, ...]
    schema: SchemaSource | None = None
    database: str | None = None
    target: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DescriptorOptions:
    """How tools are described to models.

    ``profiles`` are those that are made (none: the first of each target). ``strict_loss`` makes an
    unrecovered loss an error.
    """

    profiles: tuple[str, ...] = ()
    strict_loss: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerOptions:
    """What the MCP server tells its clients about itself; None for what it does not."""

    title: str | None = None
    instructions: str | None = None


class Formatter(StrEnum):
    """What lays out the generated Python."""

    RUFF = "ruff"
    BLACK = "black"


PROFILES = ("toolspec",)
"""The profiles that tools may promise to follow (spec-language.md)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """What the configuration says about meaning and output (not about files and folders).

    ``formatter`` lays out the generated Python.
    ``targets`` are those that the project names (None: the default ones).
    ``strict_results`` is what HTTP tools do that do not say it themselves. ``is_vendored``: the
    package has a copy of the runtime, in the place of a dependency.
    """

    package: str = "tools"
    closed: bool = True
    connections: Mapping[str, Connection] = field(default_factory=dict[str, Connection])
    formatter: Formatter = Formatter.RUFF
    strict_results: bool = False
    is_vendored: bool = False
    models: tuple[str, ...] = ()
    descriptors: DescriptorOptions = DescriptorOptions()
    server: ServerOptions = ServerOptions()
    is_catalogue_public: bool = False  # it shows what callers see, and no more
    allowed_hosts: tuple[Host, ...] | None = None
    tz: Zone = Zone.REQUIRED
    targets: tuple[str, ...] | None = None
    include_disabled: bool = False  # what is switched off is offered all the same

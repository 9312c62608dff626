"""The catalog: everything that the specs mean, sound and in order. Targets read nothing else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeAlias

from brimgen.diagnostics import Span, TextBlock
from brimgen.frozen import dataclass, field
from brimgen.model.fields import Caller
from brimgen.model.http import HttpBody, Template
from brimgen.model.json import Json, JsonObject
from brimgen.model.leaves import Leaf
from brimgen.model.lint import Waiver
from brimgen.model.paths import PathLiteral, PathVariable
from brimgen.model.project import Project
from brimgen.model.types import Field, Type


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """An object entity: a named set of fields.

    ``schema`` is complete in itself: what is recursive stands in its ``$defs``. A decoder enforces
    ``enforced_schema``: the same schema, unless the project publishes open ones.
    """

    name: str
    span: Span
    fields: tuple[Field, ...]
    schema: JsonObject
    enforced_schema: JsonObject
    extra: Type | None = None
    recursive: bool = False
    title: str | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EnumEntity:
    """A scalar entity: a closed list of strings or numbers, in declared order."""

    name: str
    span: Span
    values: tuple[str | int | float, ...]
    schema: JsonObject
    title: str | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True)
class SqlVariant:
    """A text of a statement, and the labels that choose it, in the order of its choices."""

    labels: tuple[str, ...]
    statement: TextBlock


@dataclass(frozen=True, slots=True)
class SqlKey:
    """A key of the rows of a page: rows of the next page have a ``column`` after ``argument``."""

    argument: str
    column: str
    direction: str
    span: Span

    @property
    def name(self) -> str:
        """The name of the column in the result, without its table."""
        return self.column.rpartition(".")[2]


CHOICE_PLACE = re.compile(r"\{\s*([^\W\d]\w*)\s*\}")
"""Where a statement is written with a choice: the name of its argument in braces."""


@dataclass(frozen=True, slots=True)
class SqlFragment:
    """The SQL that the value ``label`` of an argument chooses."""

    argument: str
    label: str
    text: TextBlock


@dataclass(frozen=True, slots=True)
class SqlBody:
    """A statement, as the author wrote it, and the name of the connection it is for.

    ``strict`` False (``strict: false``) lets declared arguments go unused (sql.md, ruling 5).

    ``choices`` are the arguments whose values choose parts of the text, which ``written`` names in
    braces; ``fragments`` are the SQL of each value. ``variants`` are all texts that can be chosen,
    and ``statement`` is the first of them. ``compiled`` are the optional filters that are left out
    of the text when their argument is absent: () for all of them, None for none. ``keyset`` are the
    keys by which a list is read page by page. ``last_id``: the result is the id of the row that it
    adds. ``query_tables`` are those that a query may read which the caller has written, and
    ``max_rows`` is how many rows it returns at most.
    """

    statement: TextBlock
    connection: str
    strict: bool = True
    written: TextBlock | None = None
    choices: tuple[str, ...] = ()
    fragments: tuple[SqlFragment, ...] = ()
    variants: tuple[SqlVariant, ...] = ()
    compiled: tuple[str, ...] | None = None
    keyset: tuple[SqlKey, ...] = ()
    last_id: bool = False
    query_tables: tuple[str, ...] = ()
    max_rows: int = 0

    @property
    def texts(self) -> tuple[TextBlock, ...]:
        """Every text that can be chosen; the only one where there is no choice."""
        return tuple(variant.statement for variant in self.variants) or (
            self.statement,
        )


@dataclass(frozen=True, slots=True)
class PythonBody:
    """A handler, ``package.module:function``, or None where the host registers one.

    ``handler_span`` is where it is named. The function takes the call, or, with ``keywords``, each
    argument as a keyword.
    """

    handler: str | None
    handler_span: Span | None = field(default=None, compare=False)
    keywords: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a prompt template."""

    role: str
    template: TextBlock


@dataclass(frozen=True, slots=True)
class TemplateBody:
    """A prompt: its messages, in order (one ``user`` message where the template has no roles)."""

    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class ResourceBody:
    """A resource path, split at its slashes; arguments beyond it are ``query`` parameters.

    ``handler_span`` is where it is named.
    """

    path: str
    segments: tuple[PathLiteral | PathVariable, ...]
    query: tuple[str, ...] = ()
    handler: str | None = None
    handler_span: Span | None = field(default=None, compare=False)
    mime_type: str | None = None


Body: TypeAlias = SqlBody | PythonBody | HttpBody | TemplateBody | ResourceBody


@dataclass(frozen=True, slots=True, kw_only=True)
class McpOptions:
    """The ``mcp`` key of a tool: hints that overrule what its kind suggests (None: not said).

    ``places`` tells where each key of it stands.
    """

    span: Span | None = None
    places: Mapping[str, Span] = field(default_factory=dict[str, Span])
    title: str | None = None
    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None
    mime_type: str | None = None
    uri_scheme: str | None = None
    description: str | None = None
    meta: JsonObject = field(default_factory=dict[str, Json])


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What calls may take: numbers, bytes of JSON and seconds; None is no limit."""

    calls_per_minute: int | None = None
    max_request_bytes: int | None = None
    max_response_bytes: int | None = None
    max_retries: int | None = None
    timeout: float | None = None


@dataclass(frozen=True, slots=True)
class Confirm:
    """What a person is asked before each call; ``question`` None is the usual question."""

    span: Span
    question: Template | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Returns:
    """What a tool gives back; a tool without ``returns`` is void and has none of these.

    A type that was refused, or that nothing tells, is `JsonType` and not ``is_known``: what rows
    have is not compared with it.
    """

    type: Type
    schema: JsonObject
    span: Span
    description: str | None = None
    is_known: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Who a bundle or tool is, and since when (S2.14-15, S2.27-28).

    ``id`` is a UUIDv7, the times are RFC 3339 texts in UTC. What the specs leave out is None
    until the lock file has said it.
    """

    id: str | None = None
    created_at: str | None = None
    modified_at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """Tools that are switched on and off together (S2.3, S2.11); they name it by ``name``."""

    name: str
    span: Span
    slug: str
    display_name: str
    description: str | None = None
    enabled: bool = True
    identity: Identity = Identity()
    limits: Limits = Limits()
    extensions: Mapping[str, Json] = field(default_factory=dict[str, Json])

    @property
    def id_or_slug(self) -> str:
        """What files and routes call the bundle: its id; its slug until it has one."""
        return self.identity.id or self.slug


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool.

    ``fields`` are all arguments, hidden ones too, in declared order. ``input_schema`` is the
    canonical JSON Schema of what a caller may send; ``bound_schema`` of what handler and SQL
    receive. ``extra`` is the type of further arguments where the input schema admits them.
    ``targets`` None means all. ``is_switched_on`` is the tool's own flag, ``enabled`` says that
    its bundle is on as well: only enabled tools are offered. ``entities_read``
    names the entities and leaves it depends on, ``sources`` the spec files that hold it and them.

    A decoder enforces ``enforced_schema``: the input schema itself, unless the project publishes
    open schemas (``closed: false``). Unknown arguments are refused all the same.
    """

    name: str
    span: Span
    body: Body
    fields: tuple[Field, ...]
    input_schema: JsonObject
    enforced_schema: JsonObject
    bound_schema: JsonObject
    standard: bool = False
    extra: Type | None = None
    returns: Returns | None = None
    title: str | None = None
    description: str | None = None
    when_to_use: str | None = None
    version: str | None = None
    slug: str | None = None
    bundle: str | None = None
    identity: Identity = Identity()
    tags: tuple[str, ...] = ()
    enabled: bool = True
    is_switched_on: bool = True
    targets: tuple[str, ...] | None = None
    mcp: McpOptions = McpOptions()
    confirm: Confirm | None = None
    limits: Limits = Limits()
    extensions: Mapping[str, Json] = field(default_factory=dict[str, Json])
    entities_read: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()

    @property
    def caller_fields(self) -> tuple[Field, ...]:
        """The arguments that a caller may send."""
        return tuple(
            [
                argument
                for argument in self.fields
                if isinstance(argument.origin, Caller)
            ]
        )

    def is_for(self, *targets: str) -> bool:
        """Whether the tool leaves none of ``targets`` out."""
        return self.targets is None or all(target in self.targets for target in targets)

    @property
    def hidden_fields(self) -> tuple[Field, ...]:
        """The arguments that come from the context or the host program."""
        return tuple(
            [
                argument
                for argument in self.fields
                if not isinstance(argument.origin, Caller)
            ]
        )


@dataclass(frozen=True, slots=True)
class Catalog:
    """All entities, enums, leaves and tools, each sorted by name; sound once the gate is passed.

    ``leaves`` are those of the project, and those of the language. ``imported`` are the spec files
    that `brimgen import` wrote, each with what it was made of.
    """

    project: Project
    entities: Mapping[str, Entity]
    enums: Mapping[str, EnumEntity]
    tools: tuple[Tool, ...]
    waivers: tuple[Waiver, ...] = ()
    leaves: Mapping[str, Leaf] = field(default_factory=dict[str, Leaf])
    bundles: tuple[Bundle, ...] = ()
    imported: Mapping[str, str] = field(default_factory=dict[str, str])

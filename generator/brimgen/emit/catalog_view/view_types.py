"""The shape of the catalog view: each key with its type and its meaning.

This module is the only description of the view. The published JSON Schema is made from it
(`view_schema.py`), and the type checkers hold the builders to it. Every key is always there; a
value that a tool does not have is None. No key is the name of a method of `dict`, so that
``tool.name`` in a template always finds the key.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypedDict

VIEW_VERSION = "1.2"
"""The version of the view.

The second number grows with a new key. The first number grows when a key is removed or changes its
meaning.
"""

Kind = Literal["sql", "python", "http", "template", "resource"]
Origin = Literal["caller", "context", "host"]
Recovered = Literal[
    "text", "decoder", "keyword", "narrowed", "annotation", "result", "alias", "none"
]
TypeKind = Literal[
    "scalar",
    "entity",
    "enum",
    "leaf",
    "record",
    "list",
    "map",
    "nullable",
    "union",
    "any",
]


class TypeView(TypedDict):
    """A type. The kind decides which of the other keys have a value."""

    kind: Annotated[TypeKind, "Which of the types this is."]
    name: Annotated[
        str | None,
        "The scalar (`int`, `date`), the entity, enum or leaf, or a class name for the record.",
    ]
    scalar: Annotated[str | None, "What a leaf is in JSON: a scalar."]
    json_types: Annotated[
        list[str],
        "The `type` of JSON Schema of a scalar or leaf: `[integer]` of a `uint64`.",
    ]
    choices: Annotated[list[Any], "The values of a scalar that has a closed list."]
    inner: Annotated[
        TypeView | None,
        "The items of a list, the values of a map, or what a nullable type is beside null.",
    ]
    options: Annotated[list[TypeView], "The types of a union."]
    fields: Annotated[list[FieldView], "The fields of a record."]
    extra: Annotated[
        TypeView | None,
        "The type of further properties of a record; null if it has none.",
    ]


class FieldView(TypedDict):
    """One argument of a tool, or one field of an entity."""

    name: Annotated[str, "The name in JSON."]
    type: Annotated[TypeView, "The type, with its parts."]
    type_text: Annotated[str, "The type in words: `array of string (date)`."]
    required: Annotated[bool, "Whether a caller must send it."]
    nullable: Annotated[bool, "Whether null is a value of it."]
    has_default: Annotated[bool, "Whether there is a default."]
    default: Annotated[Any, "The default; null also if there is none."]
    description: Annotated[str | None, "What the author says of it."]
    deprecated: Annotated[bool, "Whether callers should stop using it."]
    origin: Annotated[
        Origin,
        "Who gives the value: the caller (a model), the context, or the host program.",
    ]
    hidden: Annotated[
        bool, "Whether callers cannot see it: its origin is not the caller."
    ]
    context_path: Annotated[
        list[str] | None, "Where the value stands in the context: `[user, id]`."
    ]
    constraints: Annotated[
        dict[str, Any],
        "The JSON Schema keywords that limit it where it is not null: `{maximum: 100}`.",
    ]
    limits: Annotated[list[str], "The same in words: `maximum 100`."]
    schema: Annotated[dict[str, Any], "Its JSON Schema."]


class RowView(TypedDict):
    """One property of an input or output, as a row of a table; nested ones have rows too."""

    path: Annotated[str, "The whole path: `lines[].sku`."]
    parent: Annotated[str, "The path up to the name: `lines[].`."]
    name: Annotated[str, "The last name of the path."]
    type_text: Annotated[str, "The type in words."]
    required: Annotated[bool, "Whether it must be there."]
    default: Annotated[str | None, "The default as JSON text."]
    description: Annotated[str | None, "What the author says of it."]
    limits: Annotated[list[str], "Its constraints in words: `at most 5 items`."]


class HintsView(TypedDict):
    """What a tool does to the world; null where nobody says."""

    read_only: Annotated[bool | None, "It changes nothing."]
    destructive: Annotated[bool | None, "It may delete or overwrite."]
    idempotent: Annotated[
        bool | None, "A second call with the same input adds nothing."
    ]
    open_world: Annotated[bool | None, "It reaches systems outside."]


class ExampleView(TypedDict):
    """A call of a tool."""

    arguments: Annotated[dict[str, Any], "The arguments of the call."]
    is_made: Annotated[
        bool, "Whether brimgen made the values; false if the author wrote the example."
    ]


class StatementView(TypedDict):
    """The SQL statement of a tool."""

    text: Annotated[str, "The statement as the author wrote it."]
    connection: Annotated[str, "The name of the connection."]
    dialect: Annotated[str | None, "The SQL dialect of the connection."]


class FunctionView(TypedDict):
    """The Python function of a tool."""

    handler: Annotated[
        str | None, "`package.module:function`; null if the host registers it."
    ]
    keywords: Annotated[bool, "Whether it takes each argument as a keyword."]


class PairView(TypedDict):
    """A name with a text: a header, or a pair of a query or form."""

    name: Annotated[str, "The name."]
    text: Annotated[str, "The value, with its places for arguments: `${id}`."]


class RequestView(TypedDict):
    """The HTTP request of a tool. Places for arguments and secrets stand as `${name}`."""

    method: Annotated[str, "The HTTP method."]
    url: Annotated[str, "The URL, with the pairs that stand in it."]
    query: Annotated[list[PairView], "Further pairs of the query."]
    headers: Annotated[list[PairView], "The headers."]
    body_kind: Annotated[
        Literal["json", "form", "multipart", "text"] | None, "How the body is written."
    ]
    body: Annotated[str | None, "The body as text: JSON is indented."]
    auth: Annotated[
        Literal["bearer", "basic", "header", "query", "oauth2", "hmac"] | None,
        "How the request authenticates.",
    ]
    secrets: Annotated[list[str], "The names of the secrets that it uses."]
    hosts: Annotated[list[str], "The hosts that it may speak to."]
    timeout_ms: Annotated[int, "The time-out of an attempt, in milliseconds."]
    attempts: Annotated[int, "How often it is tried at most."]


class MessageView(TypedDict):
    """One message of a prompt."""

    role: Annotated[str, "Who speaks."]
    text: Annotated[str, "The template as the author wrote it."]


class PromptView(TypedDict):
    """The messages of a prompt."""

    messages: Annotated[list[MessageView], "The messages in their order."]


class ResourceView(TypedDict):
    """Something to read, by its path."""

    path: Annotated[str, "The path, with its variables."]
    uri_template: Annotated[str, "The URI template (RFC 6570) that MCP clients get."]
    query: Annotated[list[str], "The arguments that are parameters of the query."]
    mime_type: Annotated[str | None, "The type of the content."]
    handler: Annotated[str | None, "`package.module:function` that reads it."]


class ReturnsView(TypedDict):
    """What a tool gives back."""

    type: Annotated[TypeView, "The type, with its parts."]
    type_text: Annotated[str, "The type in words."]
    description: Annotated[str | None, "What the author says of it."]


class LossView(TypedDict):
    """One thing that a provider is not told, and what makes up for it."""

    part: Annotated[str, "The part that it stands in: `input`, `output` or `tool`."]
    path: Annotated[str, "Where it stands: a JSON Pointer, `/input/properties/limit`."]
    keyword: Annotated[str, "The keyword that is left out."]
    value: Annotated[Any, "The value of the keyword."]
    in_words: Annotated[
        str | None, "The keyword in words, `at most 5 items`; null if it has none."
    ]
    recovered_by: Annotated[
        Recovered,
        "What makes up for it. `text`: the description says it. `decoder`: generated code enforces"
        " it. `keyword`: another keyword says it. `narrowed`: the provider is told less than is"
        " accepted. `annotation`: it decides nothing. `result`: the result shows it. `alias`: it"
        " has another name there. `none`: it is lost.",
    ]


class ToldView(TypedDict):
    """What one provider is told of a tool."""

    profile: Annotated[str, "The profile: `openai`."]
    descriptor: Annotated[dict[str, Any], "The descriptor as it is sent."]
    tokens: Annotated[int, "About how many tokens of a request the descriptor takes."]
    aliases: Annotated[
        dict[str, str], "Names of arguments as this provider has them, with ours."
    ]
    losses: Annotated[list[LossView], "What it is not told: the ledger of losses."]


class SourceView(TypedDict):
    """A place in a spec."""

    file: Annotated[str, "The spec file."]
    line: Annotated[int, "The line, from 1."]


class ToolView(TypedDict):
    """One tool: a function that models call, a prompt, or a resource."""

    name: Annotated[str, "The name by which it is called."]
    title: Annotated[str | None, "The name for people."]
    description: Annotated[str | None, "What it does."]
    when_to_use: Annotated[str | None, "When a model should use it."]
    kind: Annotated[Kind, "What runs it."]
    tags: Annotated[list[str], "Its tags."]
    bundle: Annotated[str | None, "The name of its bundle."]
    version: Annotated[str | None, "Its version."]
    enabled: Annotated[bool, "Whether it is offered: it is on, and so is its bundle."]
    targets: Annotated[
        list[str] | None, "The targets that it is limited to; null for all."
    ]
    hints: Annotated[HintsView, "What it does to the world."]
    terms: Annotated[
        list[str], "What holds for each call, in words: who confirms it, its limits."
    ]
    arguments: Annotated[list[FieldView], "All arguments in order, hidden ones too."]
    input_rows: Annotated[
        list[RowView], "What a caller sends, as rows; nested properties have rows too."
    ]
    input_schema: Annotated[
        dict[str, Any], "The JSON Schema of what a caller may send."
    ]
    bound_schema: Annotated[
        dict[str, Any],
        "The JSON Schema of all arguments, hidden ones too: what the tool itself receives.",
    ]
    returns: Annotated[ReturnsView | None, "What it gives back; null for nothing."]
    output_rows: Annotated[list[RowView], "What it gives back, as rows."]
    output_schema: Annotated[
        dict[str, Any] | None, "The JSON Schema of what it gives back."
    ]
    output_is_wrapped: Annotated[
        bool,
        "Whether MCP sends what it gives back as the `result` of an object.",
    ]
    examples: Annotated[
        list[ExampleView],
        "Calls that its input schema accepts: the author's, else one that brimgen makes.",
    ]
    statement: Annotated[StatementView | None, "For the kind `sql`."]
    function: Annotated[FunctionView | None, "For the kind `python`."]
    request: Annotated[RequestView | None, "For the kind `http`."]
    prompt: Annotated[PromptView | None, "For the kind `template`."]
    resource: Annotated[ResourceView | None, "For the kind `resource`."]
    told: Annotated[
        list[ToldView],
        "What each provider is told; empty if the tool is off. MCP is told of prompts and"
        " resources too.",
    ]
    entities: Annotated[
        list[str], "The entities, enums and leaves that it depends on, by name."
    ]
    extensions: Annotated[dict[str, Any], "Its keys that begin with `x-`."]
    source: Annotated[SourceView, "Where it is declared."]


class EntityView(TypedDict):
    """A named set of fields that tools share."""

    name: Annotated[str, "The name."]
    title: Annotated[str | None, "The name for people."]
    description: Annotated[str | None, "What it is."]
    fields: Annotated[list[FieldView], "Its fields in order."]
    extra: Annotated[
        TypeView | None, "The type of further properties; null if it has none."
    ]
    recursive: Annotated[bool, "Whether it contains itself."]
    schema: Annotated[dict[str, Any], "Its JSON Schema."]
    used_by: Annotated[list[str], "The tools that depend on it."]
    source: Annotated[SourceView, "Where it is declared."]


class EnumView(TypedDict):
    """A closed list of values that tools share."""

    name: Annotated[str, "The name."]
    title: Annotated[str | None, "The name for people."]
    description: Annotated[str | None, "What it is."]
    members: Annotated[list[Any], "The values in order: all texts, or all numbers."]
    schema: Annotated[dict[str, Any], "Its JSON Schema."]
    used_by: Annotated[list[str], "The tools that depend on it."]
    source: Annotated[SourceView, "Where it is declared."]


class BundleView(TypedDict):
    """Tools that are switched on and off together."""

    name: Annotated[str, "The name by which tools refer to it."]
    slug: Annotated[str, "The name in paths."]
    title: Annotated[str, "The name for people."]
    description: Annotated[str | None, "What it is for."]
    enabled: Annotated[bool, "Whether it is on."]
    id: Annotated[str | None, "Its id."]
    tools: Annotated[list[str], "The names of its tools."]
    source: Annotated[SourceView, "Where it is declared."]


class ProviderView(TypedDict):
    """One profile of a provider that the project makes descriptors for."""

    profile: Annotated[str, "The name in the configuration: `openai_loose`."]
    target: Annotated[str, "The target that makes it: `openai`."]
    title: Annotated[str, "The name for people: `OpenAI loose`."]
    tools: Annotated[list[str], "The names of the tools that models are sent."]
    tokens: Annotated[int, "About how many tokens the descriptors of these tools take."]


class CatalogView(TypedDict):
    """Everything that templates see."""

    view_version: Annotated[str, "The version of this shape."]
    package: Annotated[str, "The name of the generated package."]
    public: Annotated[
        bool,
        "Whether it holds only what callers see: no hidden argument, nothing of what runs a tool."
        " So it is for the catalogue where the project says `catalogue: {public: true}`.",
    ]
    tools: Annotated[list[ToolView], "All tools by name, disabled ones too."]
    entities: Annotated[list[EntityView], "All entities by name."]
    enums: Annotated[list[EnumView], "All enums by name."]
    bundles: Annotated[list[BundleView], "All bundles by name."]
    tags: Annotated[list[str], "The tags of all tools, each once, in order."]
    providers: Annotated[
        list[ProviderView], "The profiles that the project makes descriptors for."
    ]

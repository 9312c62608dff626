"""T45x and T46x, of the descriptor targets: what a provider or client cannot carry."""

from __future__ import annotations

from brimgen.diagnostics.rule import Rule, error, warning

_TOOL = "type: python_function\ndescription: Find orders.\n"

NOT_STRICT = warning(
    "T450",
    "openai-not-strict",
    "target {target}: `{tool}` goes out with `strict: false`: {reason}",
    "Strict mode needs a type for every value and a closed set of properties for every "
    "object. The model still sees constraints beyond that, but the provider does not "
    "enforce them. Declare the properties, or accept it: the generated decoder checks "
    "every call.",
    wrong=_TOOL + "name: find\narguments: {inline: {filter: object}}",
    right=_TOOL
    + "name: find\narguments:\n  inline:\n    filter: {fields: {status: string}}",
)
DESCRIPTION_TOO_LONG = warning(
    "T451",
    "openai-description-too-long",
    "target openai: the description of `{tool}` has {length} characters, {limit} are allowed; "
    "it is cut",
    "Say the essential in the first 1024 characters, or give OpenAI its own text under "
    "`x-short-description`.",
)
TOO_MANY_TOOLS = warning(
    "T452",
    "openai-too-many-tools",
    "target openai: the set has {count} tools, but a request takes {limit}",
    "Send only the tools that a conversation needs, or leave some out with their `targets`.",
)
NULL_AND_DEFAULT = warning(
    "T453",
    "null-and-default",
    "target openai: `{name}` of `{tool}` may be null and has a default, so a strict call "
    "cannot ask for the default",
    "In strict mode a model sends every argument, and null usually means that an argument "
    "is absent. Here null is also a value. Remove the default, or remove `null` from the "
    "type.",
    wrong=_TOOL
    + "name: find\narguments:\n  inline:\n"
    + "    limit: {type: 'int?', default: 10}",
    right=_TOOL
    + "name: find\narguments:\n  inline:\n    limit: {type: int, default: 10}",
)
LONG_NAME = warning(
    "T454",
    "tool-name-long",
    "target mcp: the name `{tool}` has {length} characters; some clients drop tools above {limit}",
    "Clients put the name of the server before that of the tool and allow 60 or 64 characters "
    "for both. Choose a shorter name.",
)
ARGUMENT_NAME = warning(
    "T455",
    "argument-name-not-portable",
    "some providers refuse argument `{name}` of `{tool}`",
    "Names of 1 to 64 letters, digits, `_`, `-` and `.` pass everywhere; with any other, some "
    "providers refuse the whole request. Rename it, or leave the target out by `targets`.",
    wrong=_TOOL + "name: find\narguments: {inline: {'from date': date}}",
    right=_TOOL + "name: find\narguments: {inline: {from_date: date}}",
)
ARGUMENT_CALLED_TOOL = warning(
    "T456",
    "argument-called-tool",
    "target mcp: some clients drop the argument `tool` of `{tool}`",
    "These clients use a key of that name themselves. Rename the argument.",
    wrong=_TOOL + "name: find\narguments: {inline: {tool: string}}",
    right=_TOOL + "name: find\narguments: {inline: {tool_name: string}}",
)
RESOURCE_VARIABLE = error(
    "T457",
    "resource-variable-name",
    "target mcp: `{name}` of resource `{tool}` cannot stand in a URI template",
    "RFC 6570 knows letters, digits, `_`, and `.` between them. Rename it, or leave the target "
    "out by `targets`.",
    wrong="type: resource\nname: document\npath: /docs/{doc-id}\n"
    "arguments: {inline: {doc-id: int}}",
    right="type: resource\nname: document\npath: /docs/{doc_id}\n"
    "arguments: {inline: {doc_id: int}}",
)
HINTS_CONTRADICT = error(
    "T458",
    "mcp-hints-contradict",
    "target mcp: `{tool}` claims to be read-only and destructive",
    "Clients may run read-only tools without asking. Delete one of the two hints.",
    wrong=_TOOL + "name: forget\nmcp: {read_only: true, destructive: true}",
    right=_TOOL + "name: forget\nmcp: {destructive: true}",
)
URI_SCHEME = error(
    "T459",
    "mcp-uri-scheme",
    "target mcp: `{scheme}` is not a URI scheme",
    "A scheme begins with a letter; letters, digits, `+`, `-` and `.` follow.",
)
META_KEY = error(
    "T460",
    "mcp-meta-key",
    "target mcp: `{key}` cannot be a key of `_meta`: {reason}",
    "A key is a name with a prefix: your domain in reverse order, as in "
    "`com.example/owner`. Prefixes whose second label is `mcp` or `modelcontextprotocol` "
    "belong to the protocol.",
)

ANTHROPIC_NOT_STRICT = warning(
    "T461",
    "anthropic-not-strict",
    "target {target}: `{tool}` goes out without `strict`: {reason}",
    "A strict tool needs a type for every value, a closed set of properties for every object, "
    "and no recursion. Declare what is open, or leave it at that: the generated decoder checks "
    "every call.",
    wrong=_TOOL + "name: find\nx-anthropic-strict: true\n"
    "arguments: {inline: {filter: object}}",
    right=_TOOL + "name: find\nx-anthropic-strict: true\n"
    "arguments:\n  inline:\n    filter: {fields: {status: string}}",
)
STRICT_SET_TOO_LARGE = warning(
    "T462",
    "anthropic-strict-set",
    "target {target}: a request cannot take all strict tools of the set: {reason}",
    "The API limits all strict tools of one request together. Set `x-anthropic-strict` "
    "only where it matters, or send only the tools that a conversation needs.",
)
ARGUMENT_REFUSED = error(
    "T463",
    "argument-name-refused",
    "target anthropic: argument `{name}` of `{tool}` is refused; a name has 1 to 64 letters, "
    "digits, `_`, `-` and `.`",
    "One such name makes the whole request fail. Rename the argument, or leave the target "
    "out with the tool's `targets`.",
    wrong=_TOOL + "name: find\narguments: {inline: {'from date': date}}",
    right=_TOOL + "name: find\narguments: {inline: {from_date: date}}",
)
INPUT_EXAMPLE = error(
    "T464",
    "input-example-refused",
    "target anthropic: an example of `{tool}` does not fit its own arguments: {reason}",
    "Examples are sent as `input_examples`. The API refuses a request if one of them does "
    "not fit the schema. Correct or remove the example.",
    wrong=_TOOL + "name: find\nx-input-examples: [{status: 1}]\n"
    "arguments: {inline: {status: string}}",
    right=_TOOL + "name: find\nx-input-examples: [{status: open}]\n"
    "arguments: {inline: {status: string}}",
)
SCHEMA_EXAMPLE = warning(
    "T475",
    "schema-example-not-sent",
    "target anthropic: an example in the schema of `{tool}` is not sent: {reason}",
    "The examples at the root of a pasted schema are sent as `input_examples` if they are calls "
    "that the schema accepts. Correct the example or remove it.",
    wrong=_TOOL + "name: find\narguments:\n  inline:\n"
    "    properties: {status: {type: string}}\n    examples: [status.json]",
    right=_TOOL + "name: find\narguments:\n  inline:\n"
    "    properties: {status: {type: string}}\n    examples: [{status: open}]",
)
NOT_IN_OPENAPI = warning(
    "T465",
    "gemini-json-schema",
    "target {target}: `{tool}` goes out with `parametersJsonSchema`: {reason}",
    "Gemini's subset of OpenAPI allows neither recursion nor objects without declared "
    "properties, and needs a type for every value. Declare them, or accept it: the API "
    "takes both forms.",
)
LOST = error(
    "T466",
    "descriptor-loss",
    "profile {profile}: `{keyword}` of `{tool}` is lost at {path}, and no text replaces it",
    "`strict_loss` demands descriptors that lose nothing. Shorten the description, express "
    "the rule another way, or leave the target out with the tool's `targets`.",
)
OVER_BUDGET = warning(
    "T467",
    "token-budget",
    "profile {profile}: the descriptors take about {tokens} tokens, but {budget} are "
    "allowed; the largest is `{tool}` with {largest}",
    "Every request contains all descriptors of its set. `brimgen list --tokens` lists them by "
    "size. Shorten descriptions, or leave tools out with their `targets`.",
)

GEMINI_ALIAS = warning(
    "T468",
    "gemini-alias",
    "target gemini: argument `{name}` of `{tool}` is sent as `{alias}`",
    "Gemini refuses a request with such a name: a name is a letter or `_`, then letters, digits "
    "and `_`, 64 at most. `arguments_of` of the generated module `gemini` turns the alias back; "
    "call it before `from_call`. Or rename the argument.",
    wrong=_TOOL + "name: find\narguments: {inline: {from-date: date}}",
    right=_TOOL + "name: find\narguments: {inline: {from_date: date}}",
)
GEMINI_LEFT_OUT = warning(
    "T469",
    "gemini-left-out",
    "target gemini: `{tool}` is not sent: Gemini refuses the name of an argument{where}, and rules "
    "about names stand beside it",
    "Such a name is sent as an alias, but `patternProperties` and `propertyNames` would then "
    "speak of the alias. Rename the argument, or drop the rule.",
)
TOO_LONG = warning(
    "T476",
    "descriptor-too-long",
    "profile {profile}: the schema of `{tool}` takes more than {tokens} tokens, so that its "
    "deepest parts are left open; the largest is {branch}",
    "A model pays for every token of every request, and the generated decoder checks all of a call "
    "as before. Leave out what no model needs, or allow more with the setting "
    "`descriptors.tool_budget`.",
)

RULES: tuple[Rule, ...] = (
    NOT_STRICT,
    DESCRIPTION_TOO_LONG,
    TOO_MANY_TOOLS,
    NULL_AND_DEFAULT,
    LONG_NAME,
    ARGUMENT_NAME,
    ARGUMENT_CALLED_TOOL,
    RESOURCE_VARIABLE,
    HINTS_CONTRADICT,
    URI_SCHEME,
    META_KEY,
    ANTHROPIC_NOT_STRICT,
    STRICT_SET_TOO_LARGE,
    ARGUMENT_REFUSED,
    INPUT_EXAMPLE,
    SCHEMA_EXAMPLE,
    NOT_IN_OPENAPI,
    LOST,
    OVER_BUDGET,
    TOO_LONG,
    GEMINI_ALIAS,
    GEMINI_LEFT_OUT,
)

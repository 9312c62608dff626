"""T45x and T46x, of the descriptor targets: what a provider or client cannot carry."""

from __future__ import annotations

from brimgen.diagnostics.rule import Rule, error, warning

_TOOL = "type: python_function\ndescription: Find orders.\n"

NOT_STRICT = warning(
    "T450",
    "openai-not-strict",
    "target {target}: `{tool}` goes out with `strict: false`: {reason}",
    "Strict mode needs every value to have a type and every object a closed set of properties; "
    "what is said otherwise reaches the model, but does not bind it. Declare the properties, or "
    "leave it at that: the generated decoder checks every call.",
    wrong=_TOOL + "name: find\narguments: {inline: {filter: object}}",
    right=_TOOL
    + "name: find\narguments:\n  inline:\n    filter: {fields: {status: string}}",
)
DESCRIPTION_TOO_LONG = warning(
    "T451",
    "openai-description-too-long",
    "target openai: the description of `{tool}` has {length} characters, {limit} are allowed; "
    "it is cut",
    "Say the essential in the first 1024 characters, or give OpenAI a text of its own under "
    "`x-short-description`.",
)
TOO_MANY_TOOLS = warning(
    "T452",
    "openai-too-many-tools",
    "target openai: the set has {count} tools, a request takes {limit}",
    "Send only the tools that a conversation needs, or leave some out by their `targets`.",
)
NULL_AND_DEFAULT = warning(
    "T453",
    "null-and-default",
    "target openai: `{name}` of `{tool}` may be null and has a default: a strict call cannot ask "
    "for the default",
    "In strict mode every argument is sent, and null, which elsewhere means that an argument is "
    "absent, is a value of this one. Drop the default, or `null` from the type.",
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
    "target mcp: argument `tool` of `{tool}` is swallowed by some clients",
    "They take a key of that name for their own. Rename it.",
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
    "target mcp: `{tool}` says that it is read-only, and destructive as well",
    "Clients may run what calls itself read-only without asking anybody. Delete one of the two.",
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
    "A key is a name, with a prefix of your own in reversed order of its domain before it: "
    "`com.example/owner`. Prefixes whose second label is `mcp` or `modelcontextprotocol` are "
    "those of the protocol.",
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
    "The API counts over all the strict tools of one request. Ask for `x-anthropic-strict` only "
    "where it matters, or send only the tools that a conversation needs.",
)
ARGUMENT_REFUSED = error(
    "T463",
    "argument-name-refused",
    "target anthropic: argument `{name}` of `{tool}` is refused; a name has 1 to 64 letters, "
    "digits, `_`, `-` and `.`",
    "One such name makes the whole request fail. Rename the argument, or leave the target out by "
    "the tool's `targets`.",
    wrong=_TOOL + "name: find\narguments: {inline: {'from date': date}}",
    right=_TOOL + "name: find\narguments: {inline: {from_date: date}}",
)
INPUT_EXAMPLE = error(
    "T464",
    "input-example-refused",
    "target anthropic: an example of `{tool}` is refused by its own arguments: {reason}",
    "Examples go out as `input_examples`, and the API refuses a request in which one does not "
    "fit the schema. Correct the example, or take it away.",
    wrong=_TOOL + "name: find\nx-input-examples: [{status: 1}]\n"
    "arguments: {inline: {status: string}}",
    right=_TOOL + "name: find\nx-input-examples: [{status: open}]\n"
    "arguments: {inline: {status: string}}",
)
NOT_IN_OPENAPI = warning(
    "T465",
    "gemini-json-schema",
    "target {target}: `{tool}` goes out with `parametersJsonSchema`: {reason}",
    "The subset of OpenAPI knows neither recursion nor objects without declared properties, and "
    "every value has a type. Declare them, or leave it at that: the API takes both forms.",
)
LOST = error(
    "T466",
    "descriptor-loss",
    "profile {profile}: `{keyword}` of `{tool}` is lost at {path}, and nothing says it instead",
    "`strict_loss` asks for descriptors that lose nothing. Say it in fewer words, say it in "
    "another way, or leave the target out by the tool's `targets`.",
)
OVER_BUDGET = warning(
    "T467",
    "token-budget",
    "profile {profile}: the descriptors come to about {tokens} tokens, {budget} are allowed; "
    "`{tool}` is the largest, with {largest}",
    "Every request carries all descriptors of its set. `brimgen tokens` lists them by size: "
    "shorten descriptions, or leave tools out by their `targets`.",
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
    NOT_IN_OPENAPI,
    LOST,
    OVER_BUDGET,
    GEMINI_ALIAS,
    GEMINI_LEFT_OUT,
)

"""I70x: why a file of another system cannot be imported."""

from __future__ import annotations

from brimgen.diagnostics.rule import Rule, error, warning

NOT_JSON = error(
    "I701",
    "import-not-json",
    "this is not JSON: {reason}",
    "Tools of other systems are read as JSON in UTF-8. OpenAPI documents may also be YAML, "
    "and dataclasses are read from Python files. `brimgen import --help` lists the formats.",
)
UNKNOWN_FORMAT = error(
    "I702",
    "import-unknown-format",
    "brimgen cannot import this format",
    "`brimgen import --help` lists the formats. Name the format with `--as` to see what is "
    "missing.",
)
WRONG_SHAPE = error(
    "I703",
    "import-wrong-shape",
    "{what} must be {expected}",
    "Import does not guess. Correct it, or remove the tool from the file.",
)
UNKNOWN_KEY = error(
    "I704",
    "import-unknown-key",
    "{what} has an unknown key `{key}`",
    "What import does not know would be lost. Remove the key, or rename it.",
)
INVALID_SPEC = error(
    "I705",
    "import-invalid-toolspec",
    "not a valid ToolSpec: {reason}",
    "The reason is what `validate()` says.",
)
SAME_NAME = error(
    "I706",
    "import-same-name",
    "there are two {what} `{name}`",
    "Their names must differ. Rename one of the two.",
)
REFUSED = error(
    "I707",
    "import-refused",
    "a build would refuse the spec of `{name}`: {reason}",
    "Correct the tool in its source.",
)
LEFT_OPEN = warning(
    "I743",
    "import-left-open",
    "`{part}` of `{name}` is left open: {reason}",
    "What a build would refuse is replaced by less: any value that the service takes is taken, "
    "and more. The spec says so in a `$comment`; correct the source, or the spec.",
)

NO_BACK_END = error(
    "I708",
    "import-no-back-end",
    "`{name}` is of type `{kind}`, which brimgen cannot generate",
    "The types `go` and `http` can be imported. Declare tools that a provider runs itself "
    "where you call that provider.",
)
BAD_REFERENCE = error(
    "I709",
    "import-bad-reference",
    "`{reference}` cannot be followed: {reason}",
    "Only references within the file are followed. Bundle other files into it, or give the "
    "schema `properties`, so that it becomes an entity.",
)
NO_ENTITY = error(
    "I711",
    "import-no-entity",
    "there is no object with properties in this schema",
    "Only objects become entities. Paste other schemas into the tool that uses them.",
)
NO_SERVER = warning(
    "I712",
    "import-no-server",
    "no absolute URL of a server is given{said}: tools call the one in `{name}`",
    "The environment variable of that name holds the base URL, such as "
    "https://api.example.com; a call without it says what is missing. To write the URL into the "
    "specs, import with `--server https://api.example.com/v1`.",
)
CANNOT_SAY = error(
    "I713",
    "import-cannot-say",
    "`{name}` cannot be imported: {reason}",
    "An http_function sends a path, a query, headers and a body of JSON, form data or "
    "text, and receives JSON or text. Remove the operation from the file, and write a "
    "python_function that makes the call.",
)
QUERY_REFUSED = error(
    "I740",
    "import-query-refused",
    "query `{name}` cannot be imported: {reason}",
    "A tool is one statement with named parameters. The other queries are imported.",
)
QUERY_NOT_KEPT = warning(
    "I741",
    "import-query-not-kept",
    "of query `{name}`: {what}",
    "`--schema FILE` gives the tables from which types are known. The rest is imported.",
)
QUERY_RENAMED = warning(
    "I742",
    "import-query-renamed",
    "the query `{name}` becomes the tool `{tool}`{more}",
    "Models see names in snake_case. The name of a query is kept as `x-name`.",
)
NOT_KEPT = warning(
    "I714",
    "import-not-kept",
    "{what} of `{name}` is not imported: {reason}",
    "The rest of the tool is imported.",
)
NOT_IN_SPEC = error(
    "I724",
    "python-not-in-spec",
    "{what} of `{name}` cannot be a part of a spec: {reason}",
    "The setting `sources` names this module. Remove what a spec cannot say from the class, or "
    "take the module out of `sources` and write the spec in YAML.",
)
NOT_PYTHON = error(
    "I715",
    "import-not-python",
    "this is not Python: {reason}",
    "The file is parsed as Python 3, and never run.",
)
UNKNOWN_PYTHON = error(
    "I716",
    "import-unknown-python",
    "{what} of `{owner}` is not understood: `{text}`",
    "Fields may be `str`, `int`, `float`, `bool`, `Decimal`, `date`, `datetime`, `UUID`, "
    "`Any`, lists of those, `dict`, optional types, `Literal`, and classes of the same "
    "file. A module that the setting `sources` names may also import classes from modules of "
    "yours. Defaults must be constants.",
)
NOT_A_SPEC = warning(
    "I717",
    "import-class-not-imported",
    "class `{name}` becomes no spec: it is not a dataclass, TypedDict or enum",
    "Only these classes become tools and entities. Make it a dataclass if its fields should "
    "become a spec, or leave it as it is. For a pydantic model, write "
    "the output of `Model.model_json_schema()` to a JSON file and import that.",
)
NOTHING = error(
    "I718",
    "import-nothing",
    "nothing to import",
    "The file contains no tool, no schema of an object, and no class that could become a "
    "spec.",
)
NOT_OPENAPI_3 = error(
    "I719",
    "import-not-openapi-3",
    "this is neither OpenAPI 3 nor Swagger 2.0",
    "The first key of a document states its version: `openapi: 3.1.0`, or `swagger: '2.0'`. "
    "Convert documents of other versions first.",
)
NO_SUCH_TOOL = error(
    "I720",
    "import-no-such-tool",
    "the file has no tool `{name}` to import",
    "`--only` takes the names of the imported tools; `*` stands for any text. Without "
    "`--only`, all tools are printed.",
)
NOT_WHOLE = error(
    "I730",
    "import-not-whole",
    "`{name}` cannot be imported from a listing, which does not hold all its arguments",
    "Copy its spec from the project that made the listing.",
)
TOOLBOX_REFUSED = error(
    "I731",
    "import-toolbox-refused",
    "`{name}` cannot be imported: {reason}",
    "Tools of Toolbox that are one SQL statement with parameters are imported.",
)
TOOLBOX_NOT_KEPT = warning(
    "I733",
    "import-toolbox-not-kept",
    "the {kind} `{name}` of Toolbox is not imported: {why}",
    "The tools are imported.",
)
SECOND_DOCUMENT = warning(
    "I732",
    "import-second-document",
    "this document is not imported: only the first one of a file is",
    "Put each document into a file of its own. Only `tools.yaml` of Toolbox may have several.",
)
HOST_NOT_ALLOWED = warning(
    "I729",
    "import-host-not-allowed",
    "`{name}` calls `{host}`, and its file does not say that this host is allowed",
    "Add the host to `allowed_hosts` of the configuration, or import with `--allow-host "
    "HOST`, which writes `allowedHosts` into the spec. A build refuses other hosts.",
)
NO_CALLS = warning(
    "I721",
    "import-no-calls",
    "no imported tool calls `{server}`",
    "`--server` is for OpenAPI documents: it is the URL that their tools call.",
)

NOT_A_FUNCTION = warning(
    "I722",
    "import-function-not-imported",
    "function `{name}` is not imported",
    "Functions are not read. Declare the arguments as a dataclass whose name ends with "
    "`Input`; its docstring becomes the description of the tool.",
)
WITHOUT_MEANING = warning(
    "I723",
    "import-key-without-meaning",
    "`{key}` of {what} has no effect here: {reason}",
    "If it is misspelt, correct it in the source of the tool.",
)

RULES: tuple[Rule, ...] = (
    NOT_JSON,
    UNKNOWN_FORMAT,
    WRONG_SHAPE,
    UNKNOWN_KEY,
    INVALID_SPEC,
    SAME_NAME,
    REFUSED,
    LEFT_OPEN,
    NO_BACK_END,
    BAD_REFERENCE,
    NO_ENTITY,
    NO_SERVER,
    CANNOT_SAY,
    QUERY_REFUSED,
    QUERY_NOT_KEPT,
    QUERY_RENAMED,
    NOT_KEPT,
    NOT_IN_SPEC,
    NOT_PYTHON,
    UNKNOWN_PYTHON,
    NOT_A_SPEC,
    NOTHING,
    NOT_OPENAPI_3,
    NO_SUCH_TOOL,
    NO_CALLS,
    TOOLBOX_REFUSED,
    TOOLBOX_NOT_KEPT,
    SECOND_DOCUMENT,
    HOST_NOT_ALLOWED,
    NOT_WHOLE,
    NOT_A_FUNCTION,
    WITHOUT_MEANING,
)

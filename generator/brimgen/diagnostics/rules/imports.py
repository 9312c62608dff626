"""I70x: why a file of another system cannot be imported."""

from __future__ import annotations

from brimgen.diagnostics.rule import Rule, error, warning

NOT_JSON = error(
    "I701",
    "import-not-json",
    "this is not JSON: {reason}",
    "Tools of other systems are read as JSON, in UTF-8. OpenAPI documents may be YAML as well, "
    "and functions are read from Python files; `brimgen import --help` lists the formats.",
)
UNKNOWN_FORMAT = error(
    "I702",
    "import-unknown-format",
    "this is no format that can be imported",
    "`brimgen import --help` lists the formats. "
    "Name the format with `--as` to be told what is missing.",
)
WRONG_SHAPE = error(
    "I703",
    "import-wrong-shape",
    "{what} must be {expected}",
    "Importing guesses nothing. Correct it, or take the tool out.",
)
UNKNOWN_KEY = error(
    "I704",
    "import-unknown-key",
    "{what} has an unknown key `{key}`",
    "What is not understood would be lost. Take it out, or rename it.",
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
    "They are told apart by their names. Rename one of them.",
)
REFUSED = error(
    "I707",
    "import-refused",
    "`{name}` makes no sound spec: {reason}",
    "The reason is what a build would say of the spec. Correct the tool where it comes from.",
)

NO_BACK_END = error(
    "I708",
    "import-no-back-end",
    "`{name}` is of type `{kind}`, which cannot be generated for",
    "Tools of the types `go` and `http` are imported. What a provider runs itself is declared "
    "where that provider is called.",
)
BAD_REFERENCE = error(
    "I709",
    "import-bad-reference",
    "`{reference}` cannot be followed: {reason}",
    "References are followed inside of the file. Bundle what lies in other files into it, or give "
    "the schema `properties`, so that it becomes an entity.",
)
NAMELESS = error(
    "I710",
    "import-nameless",
    "no name can be made of `{name}`",
    "A spec is named by ASCII letters, digits, dashes and underscores, at most 64, a letter first.",
)
NO_ENTITY = error(
    "I711",
    "import-no-entity",
    "there is no object with properties in this schema",
    "Only objects become entities. Paste other schemas into the tool that takes them.",
)
NO_SERVER = error(
    "I712",
    "import-no-server",
    "no absolute URL of a server is given{said}",
    "A tool calls one server. Name it with its path: `brimgen import --server "
    "https://api.example.com/v1 FILE`, or write it into the document: `servers: [{url: "
    "https://api.example.com/v1}]`.",
)
CANNOT_SAY = error(
    "I713",
    "import-cannot-say",
    "`{name}` cannot be imported: {reason}",
    "An http_function sends a path, a query, headers and a body of JSON, of a form or of text, and "
    "takes JSON or text back. Leave the operation out of the file, and write a python_function "
    "that makes the call.",
)
NOT_KEPT = warning(
    "I714",
    "import-not-kept",
    "{what} of `{name}` is not kept: {reason}",
    "The rest of the tool is imported.",
)
NOT_PYTHON = error(
    "I715",
    "import-not-python",
    "this is not Python: {reason}",
    "The file is read without being run; it must parse as Python 3.",
)
UNKNOWN_PYTHON = error(
    "I716",
    "import-unknown-python",
    "{what} of `{owner}` is not understood: `{text}`",
    "Fields may be `str`, `int`, `float`, `bool`, `Decimal`, `date`, `datetime`, `UUID`, `Any`, "
    "lists of those, `dict`, optional ones, `Literal`, and classes of the same file; defaults "
    "must be constants.",
)
NOT_A_SPEC = warning(
    "I717",
    "import-class-not-imported",
    "class `{name}` is no dataclass, TypedDict or enum: not imported",
    "Mark it as a dataclass if its fields are to become a spec. For a model of pydantic write what "
    "`Model.model_json_schema()` says to a file as JSON, and import that.",
)
NOTHING = error(
    "I718",
    "import-nothing",
    "nothing to import",
    "The file holds no tool, no schema of an object, and no class that a spec could be made of.",
)
NOT_OPENAPI_3 = error(
    "I719",
    "import-not-openapi-3",
    "this is no OpenAPI 3: other versions are not read",
    "Convert the document first: `npx swagger2openapi --patch FILE`, or the menu Edit of the "
    "Swagger Editor. OpenAPI 3.0 and 3.1 say so in their first key: `openapi: 3.1.0`.",
)
NO_SUCH_TOOL = error(
    "I720",
    "import-no-such-tool",
    "there is no tool `{name}` to import",
    "`--only` takes the names that tools have once they are imported, in which `*` stands for any "
    "text. Without it all are printed.",
)
NO_CALLS = warning(
    "I721",
    "import-no-calls",
    "nothing that is imported calls `{server}`",
    "`--server` is for OpenAPI documents: it is the URL that their tools call.",
)

NOT_A_FUNCTION = warning(
    "I722",
    "import-function-not-imported",
    "function `{name}` is not imported",
    "Functions are not read. Declare the arguments as a dataclass whose name ends with `Input`; "
    "its docstring becomes the description of the tool.",
)
WITHOUT_MEANING = warning(
    "I723",
    "import-key-without-meaning",
    "`{key}` of {what} has no meaning here: {reason}",
    "If it is misspelt, correct it where the tool comes from.",
)

RULES: tuple[Rule, ...] = (
    NOT_JSON,
    UNKNOWN_FORMAT,
    WRONG_SHAPE,
    UNKNOWN_KEY,
    INVALID_SPEC,
    SAME_NAME,
    REFUSED,
    NO_BACK_END,
    BAD_REFERENCE,
    NAMELESS,
    NO_ENTITY,
    NO_SERVER,
    CANNOT_SAY,
    NOT_KEPT,
    NOT_PYTHON,
    UNKNOWN_PYTHON,
    NOT_A_SPEC,
    NOTHING,
    NOT_OPENAPI_3,
    NO_SUCH_TOOL,
    NO_CALLS,
    NOT_A_FUNCTION,
    WITHOUT_MEANING,
)

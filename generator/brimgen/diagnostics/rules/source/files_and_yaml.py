"""Rules of the reader: S0xx about files, S10x and S11x about YAML."""

from __future__ import annotations

from brimgen.diagnostics.rule import Rule, error, warning

_PROBE = "type: python_function\nname: probe\n"
_INLINE = _PROBE + "arguments:\n  inline:\n"

SPECS_MISSING = error(
    "S001",
    "specs-missing",
    "there is no folder `{path}`",
    "Name the folder of the specs with `--specs`, or create a project with `brimgen init`.",
)
UNREADABLE = error(
    "S002",
    "unreadable",
    "`{name}` cannot be read: {reason}",
    "Give the build the right to read it, or move it out of the specs folder.",
)
TOO_LARGE = error(
    "S003",
    "file-too-large",
    "this file has {size} bytes, the limit is {limit}",
    "Split the file: one YAML document for each tool, in as many files as you like.",
)
NOT_UTF8 = error(
    "S004",
    "not-utf-8",
    "byte {byte} is not UTF-8",
    "Save the file as UTF-8.",
)
NOT_A_FILE = error(
    "S005",
    "not-a-file",
    "`{name}` is neither a file nor a folder",
    "Pipes, sockets and devices are not read: remove it from the specs folder.",
)
LINK_LEAVES_SPECS = error(
    "S006",
    "link-leaves-specs",
    "`{name}` is a link to something outside the specs folder",
    "Copy the file into the specs folder, so that the same checkout gives the same build.",
)
LINKED_FOLDER = warning(
    "S007",
    "linked-folder",
    "`{name}` is a link to a folder and is not followed",
    "The files that it points to are read where they lie. Remove the link, or replace it "
    "with a folder.",
)
FILE_NAME = error(
    "S008",
    "file-name",
    "the file name {name} holds characters that cannot be printed",
    "Rename it: letters, digits, `-`, `_` and `.` are safe everywhere.",
)
REFUSED_CHARACTER = error(
    "S009",
    "refused-character",
    "{character} is not allowed in a spec, and neither is an escape for it",
    "Remove it: invisible characters can hide from people what a model reads. In a "
    "`pattern`, write the escape of regular expressions in single quotes: '^[^\\u202E]+$'.",
    wrong=_PROBE + 'description: "Finds orders\\u202E"\n',
    right=_PROBE + 'description: "Finds orders"\n',
)
NO_SPEC_FILES = warning(
    "S010",
    "no-spec-files",
    "there are no specs in `{path}`{beside}",
    "Specs are files ending in .yaml, .yml, .sql or .md (other than README.md).",
)
MISNAMED_SPEC = warning(
    "S011",
    "misnamed-spec",
    "`{name}` is not read: its name does not end like that of a spec",
    "Specs are files ending in .yaml, .yml, .sql or .md. Your system may hide an ending "
    "that it added. Rename the file, or move it out of the specs folder if it is not a "
    "spec.",
)

YAML_SYNTAX = error(
    "S101",
    "yaml-syntax",
    "this is not YAML: {problem}",
    "Compare the indentation and the punctuation with the lines above it.",
    wrong=_PROBE + "tags: [slow beta]]\n",
    right=_PROBE + "tags: [slow, beta]\n",
)
TYPE_NEEDS_QUOTES = error(
    "S102",
    "type-needs-quotes",
    "`{text}` needs quotes inside of `{{ }}` and `[ ]`",
    "Quote the type, or write `array<T>` for a list and `required: false` for an optional one.",
    wrong=_PROBE + "arguments:\n  inline: { ids: int[] }\n",
    right=_PROBE + 'arguments:\n  inline: { ids: "int[]" }\n',
)
DUPLICATE_KEY = error(
    "S103",
    "duplicate-key",
    "the key `{key}` occurs twice in one mapping ({lines})",
    "Rename or remove one of the two. brimgen does not choose between them.",
    wrong=_INLINE + "    a: int\n    a: string\n",
    right=_INLINE + "    a: int\n    b: string\n",
)
KEY_IS_NOT_TEXT = error(
    "S104",
    "key-is-not-text",
    "a key must be text, and this one is a {kind}",
    "Write the text alone; quote it if brackets or braces belong to it.",
    wrong=_INLINE + "    ? [a-b]\n    : int\n",
    right=_INLINE + "    a-b: int\n",
)
NOT_A_MAPPING = error(
    "S105",
    "not-a-mapping",
    "a spec must be a mapping of keys to values, and this document is a {kind}",
    "Start with `type:` and `name:`. Separate several specs in one file with `---` lines.",
    wrong="- type: python_function\n  name: probe\n",
    right=_PROBE,
)
TAG = error(
    "S106",
    "tag",
    "the tag `{tag}` is not allowed: specs hold plain data only",
    "Remove the tag. Put a value in quotes if it should be text.",
    wrong=_PROBE + "version: !!str 1.10\n",
    right=_PROBE + 'version: "1.10"\n',
)
UNKNOWN_ALIAS = error(
    "S107",
    "unknown-alias",
    "no anchor `&{name}` is defined above this alias",
    "An alias repeats a value marked with an anchor above it in the same document. "
    "Quote the value if it is a text that begins with `*`.",
    wrong=_PROBE + "tags: *common\n",
    right=_PROBE + "tags: [slow, beta]\n",
)
SELF_REFERENCE = error(
    "S108",
    "self-reference",
    "the alias `*{name}` stands inside the value that it repeats",
    "Data cannot contain itself. If an entity refers to itself, use its name as a type.",
    wrong=_PROBE + "arguments: &a\n  inline: *a\n",
    right="type: entity\nname: Node\nfields:\n  parent: Node?\n",
)
TOO_DEEP = error(
    "S109",
    "too-deep",
    "this is nested more than {limit} levels deep",
    "Give the inner parts names: entities may use each other as types.",
)
TOO_MANY_NODES = error(
    "S110",
    "too-many-values",
    "this document has more than {limit} values{cause}",
    "Divide it into several documents. If aliases repeat other aliases, write the values "
    "out.",
)
MERGE_VALUE = error(
    "S111",
    "merge-value",
    "`<<` takes a mapping or a list of mappings, and this is a {kind}",
    'Write `<<: *anchor`, or quote the key ("<<") if it is meant as a name.',
    wrong=_INLINE + "    <<: paging\n",
    right="x-paging: &paging { limit: int }\n" + _INLINE + "    <<: *paging\n",
)
NUMBER_RANGE = error(
    "S112",
    "number-range",
    "`{text}` is not a number that JSON can carry",
    "Quote it if it should be text.",
    wrong=_PROBE + "x-build: 1e999\n",
    right=_PROBE + 'x-build: "1e999"\n',
)
SURROGATE = error(
    "S113",
    "unpaired-surrogate",
    "an escape in this text stands for half a character ({code})",
    r"Write the character itself, or `\U` and eight digits, or both halves, as JSON does.",
    wrong=_PROBE + 'description: "\\ud83d"\n',
    right=_PROBE + 'description: "\\U0001F600"\n',
)
TAB_INDENT = error(
    "S114",
    "tab-indent",
    "a tab cannot indent YAML",
    "Indent with spaces.",
    wrong=_PROBE + "arguments:\n\tinline: { a: int }\n",
    right=_PROBE + "arguments:\n  inline: { a: int }\n",
)
VALUE_NEEDS_QUOTES = error(
    "S115",
    "value-needs-quotes",
    "a text cannot begin with `{character}` here",
    "Put the text in quotes.",
    wrong=_PROBE + "description: @orders\n",
    right=_PROBE + 'description: "@orders"\n',
)
COLON_IN_VALUE = error(
    "S116",
    "colon-in-value",
    "this value contains a second `:`",
    "Quote the text if the colon belongs to it, or put the nested key on its own line.",
    wrong=_PROBE + "description: Note: slow\n",
    right=_PROBE + 'description: "Note: slow"\n',
)
UNCLOSED = error(
    "S117",
    "unclosed",
    "the {kind} that opens here is not closed",
    "Close it before the next key.",
    wrong=_PROBE + "description: 'Finds orders\n",
    right=_PROBE + "description: 'Finds orders'\n",
)
SPACE_AFTER_COLON = error(
    "S118",
    "space-after-colon",
    "a space is missing after this `:`",
    "YAML reads a colon that no space follows as part of a text.",
    wrong="type:python_function\nname: probe\n",
    right=_PROBE,
)
UNKNOWN_ESCAPE = error(
    "S119",
    "unknown-escape",
    "`{text}` is not an escape sequence of YAML in double quotes",
    "In single quotes a backslash is a plain character: `pattern: '^\\d+$'`. In double "
    "quotes, write it twice.",
    wrong=_INLINE + '    zip: { type: string, pattern: "^\\d{5}$" }\n',
    right=_INLINE + "    zip: { type: string, pattern: '^\\d{5}$' }\n",
)

LOST_FILE = frozenset(
    {UNREADABLE, TOO_LARGE, NOT_UTF8, NOT_A_FILE, LINK_LEAVES_SPECS, FILE_NAME}
)
"""The rules of files that are not read at all: nobody knows what they declare."""

MISSING_DIVIDER = error(
    "S129",
    "missing-divider",
    "a second spec begins here with `{key}`, but there is no `---` above it",
    "Separate several specs in one file with `---` lines. If this is still the first spec, "
    "remove the repeated key.",
    wrong=f"{_PROBE}type: python_function\nname: other\n",
    right=f"{_PROBE}---\ntype: python_function\nname: other\n",
)

RULES: tuple[Rule, ...] = (
    SPECS_MISSING,
    UNREADABLE,
    TOO_LARGE,
    NOT_UTF8,
    NOT_A_FILE,
    LINK_LEAVES_SPECS,
    LINKED_FOLDER,
    FILE_NAME,
    REFUSED_CHARACTER,
    NO_SPEC_FILES,
    MISNAMED_SPEC,
    YAML_SYNTAX,
    TYPE_NEEDS_QUOTES,
    DUPLICATE_KEY,
    KEY_IS_NOT_TEXT,
    NOT_A_MAPPING,
    TAG,
    UNKNOWN_ALIAS,
    SELF_REFERENCE,
    TOO_DEEP,
    TOO_MANY_NODES,
    MERGE_VALUE,
    NUMBER_RANGE,
    SURROGATE,
    TAB_INDENT,
    VALUE_NEEDS_QUOTES,
    COLON_IN_VALUE,
    UNCLOSED,
    SPACE_AFTER_COLON,
    UNKNOWN_ESCAPE,
    MISSING_DIVIDER,
)

"""I70x: why what another system wrote cannot be imported."""

from __future__ import annotations

from brimgen.diagnostics.rule import Rule, error

NOT_JSON = error(
    "I701",
    "import-not-json",
    "this is not JSON: {reason}",
    "Formats that can be imported are JSON, in UTF-8.",
)
UNKNOWN_FORMAT = error(
    "I702",
    "import-unknown-format",
    "this is no format that can be imported",
    "ToolSpec JSON, `available_commands`, and the tools of MCP, OpenAI and Anthropic are read. "
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

RULES: tuple[Rule, ...] = (
    NOT_JSON,
    UNKNOWN_FORMAT,
    WRONG_SHAPE,
    UNKNOWN_KEY,
    INVALID_SPEC,
    SAME_NAME,
    REFUSED,
)

"""O54x and O55x: errors in templates of a project, and in targets that use them."""

from __future__ import annotations

from brimgen.diagnostics.rule import Rule, error, warning

UNREADABLE_TEMPLATE = error(
    "O540",
    "unreadable-template",
    "cannot read {file}: {reason}",
    "The setting `templates` names a folder. Its files that end in `.j2` are templates: UTF-8 text "
    "of at most 1 MiB each. A link may lead to a file inside of the folder only.",
)
TEMPLATE_SYNTAX = error(
    "O541",
    "own-template-syntax",
    "this is not Jinja: {problem}",
    "The page templates.md shows the parts of a template. Jinja's own documentation explains the "
    "syntax.",
)
UNKNOWN_IN_TEMPLATE = error(
    "O542",
    "unknown-in-template",
    "{problem}",
    "The page templates.md lists the variables, the filters and the templates. "
    "`brimgen explain --schema view` prints the shape of the data.",
)
RAW_TEXT = error(
    "O543",
    "raw-text",
    "this prints {what} without a filter that makes a literal of it",
    "Spec text may hold quotes and line ends, and would break the generated file. Add the filter "
    "of the language: `json`, `py`, `ts`, `sql`, `md` or `html`; or `identifier` or `comment`. "
    "`raw` prints a text as it is: use it only for text that you trust.",
)
TEMPLATE_FAILED = error(
    "O544",
    "template-failed",
    "the template fails here: {problem}",
    "Correct the expression. The page templates.md shows the data and the filters.",
)
UNUSED_TEMPLATE = warning(
    "O547",
    "unused-template",
    "nothing uses this template",
    "A template takes effect if it has the name of a template of brimgen (`brimgen explain "
    "--templates` lists them), if `custom` names it, or if such a template extends, includes or "
    "imports it.",
)
CUSTOM_PATH = error(
    "O548",
    "custom-path",
    "the target `{name}` {problem}",
    "A path is relative to the output folder, with `/`. Each file needs a path of its own: with "
    "`for: each tool` write `{{ tool.name }}` in it.",
)
BROKEN_PYTHON = error(
    "O549",
    "broken-python",
    "{path}, which is made with this template, is not Python: {problem}",
    "Correct the template. `brimgen diff` shows generated files before they are written.",
)
UNKNOWN_BLOCK = error(
    "O550",
    "unknown-block",
    "`{parent}` has no block `{name}`{among}",
    "A block replaces the block of the same name in the template that is extended. A block of "
    "another name is never printed.",
)

RULES: tuple[Rule, ...] = (
    UNREADABLE_TEMPLATE,
    TEMPLATE_SYNTAX,
    UNKNOWN_IN_TEMPLATE,
    RAW_TEXT,
    TEMPLATE_FAILED,
    UNUSED_TEMPLATE,
    CUSTOM_PATH,
    BROKEN_PYTHON,
    UNKNOWN_BLOCK,
)

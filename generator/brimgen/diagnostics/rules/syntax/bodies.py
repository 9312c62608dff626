"""S27x: statements and templates, in the document or in a file of their own."""

from __future__ import annotations

from brimgen.diagnostics.rule import Rule, error

_PROMPT = "---\nname: greet\n---\n"

BODY_MISSING = error(
    "S270",
    "body-missing",
    "{owner} has no {body}",
    "A statement stands under `sql:`, as the body of a `.sql` file, or in a `.sql` file named by "
    "`handler:`. A template stands under `template:` or `messages:`, or as the body of a `.md` "
    "file.",
    wrong="type: sql_function\nname: one\n",
    right="type: sql_function\nname: one\nreturns: int\nsql: SELECT 1\n",
)
BODY_TWICE = error(
    "S271",
    "body-twice",
    "the {body} is given twice, as {key} and as {first}",
    "Keep one of the two.",
    wrong="type: template_function\nname: greet\ntemplate: Hello!\n"
    "messages:\n  - { role: user, content: Hello! }\n",
    right="type: template_function\nname: greet\ntemplate: Hello!\n",
)
BODY_NOT_USED = error(
    "S272",
    "body-not-used",
    "the text after the metadata is not used: {owner} has no body",
    "Only a sql_function in a `.sql` file and a template_function in a `.md` file have a body. "
    "Write other documents in a `.yaml` file.",
    wrong="---\ntype: python_function\nname: greet\n---\nHello!\n",
    right="---\ntype: template_function\nname: greet\n---\nHello!\n",
)
STATEMENT_FILE_NOT_FOUND = error(
    "S273",
    "statement-file-not-found",
    "there is no statement file `{path}` among the specs",
    "`handler` of a sql_function names a `.sql` file without metadata, under the specs folder, by "
    "its path from the folder of this document or from the specs folder.",
    wrong="type: sql_function\nname: one\nhandler: queries/one.sql\n",
    right="type: sql_function\nname: one\nreturns: int\nsql: SELECT 1\n",
)
STATEMENT_FILE_HAS_METADATA = error(
    "S274",
    "statement-file-has-metadata",
    "`{path}` has metadata of its own, so it is a tool and not a statement file",
    "Remove the `/* --- … --- */` comment from the file, or remove this document.",
    wrong="type: sql_function\nname: one\nhandler: two.sql\n",
    right="type: sql_function\nname: one\nreturns: int\nsql: SELECT 1\n",
)
STATEMENT_FILE_UNUSED = error(
    "S275",
    "statement-file-unused",
    "this SQL file has no metadata, and no `handler` names it",
    "Begin it with `/*`, `---`, the metadata (`name`, `description`, `arguments` …), `---`, `*/`; "
    "or name it in the `handler` of a sql_function; or move it out of the specs folder.",
    wrong="SELECT 1\n",
    right="/*\n---\nname: one\nreturns: int\n---\n*/\nSELECT 1\n",
)
TEXT_OUTSIDE_ROLES = error(
    "S276",
    "text-outside-roles",
    "this text stands outside the role blocks",
    "In a template with `<system>`, `<user>` or `<assistant>` blocks, all text must be "
    "inside one of them. Only blank lines and `{# comments #}` may stand between.",
    wrong=_PROMPT + "Be kind.\n<user>\nHello!\n</user>\n",
    right=_PROMPT + "<system>\nBe kind.\n</system>\n<user>\nHello!\n</user>\n",
)
ROLE_NOT_CLOSED = error(
    "S277",
    "role-not-closed",
    "`<{role}>` is not closed",
    "End the block with its closing tag, `</system>`, `</user>` or `</assistant>`, before the "
    "next one begins.",
    wrong=_PROMPT + "<system>\nBe kind.\n<user>\nHello!\n</user>\n",
    right=_PROMPT + "<system>\nBe kind.\n</system>\n<user>\nHello!\n</user>\n",
)
ROLE_NOT_OPENED = error(
    "S278",
    "role-not-opened",
    "`</{role}>` closes a block that is not open",
    "Remove the tag, or begin the block with its opening tag at the start of a line.",
    wrong=_PROMPT + "<user>\nHello!\n</user>\n</system>\n",
    right=_PROMPT + "<user>\nHello!\n</user>\n",
)

RULES: tuple[Rule, ...] = (
    BODY_MISSING,
    BODY_TWICE,
    BODY_NOT_USED,
    STATEMENT_FILE_NOT_FOUND,
    STATEMENT_FILE_HAS_METADATA,
    STATEMENT_FILE_UNUSED,
    TEXT_OUTSIDE_ROLES,
    ROLE_NOT_CLOSED,
    ROLE_NOT_OPENED,
)

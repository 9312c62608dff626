"""S12x, of the reader: the metadata of bodies."""

from __future__ import annotations

from brimgen.diagnostics.rule import Rule, error

_SQL = "/*\n---\ntype: sql_function\nname: probe\nreturns: int\n"

UNCLOSED_METADATA = error(
    "S120",
    "unclosed-metadata",
    "the metadata that begins here has no closing `---` line{where}",
    "Metadata stand between two `---` lines with the same indentation.",
    wrong=_SQL + "*/\nSELECT 1\n",
    right=_SQL + "---\n*/\nSELECT 1\n",
)
COMMENT_ENDS_EARLY = error(
    "S121",
    "comment-ends-early",
    "this `*/` ends the comment before the metadata in it end",
    "A database would read the rest as SQL. Close the metadata with a `---` line above "
    "`*/`, and do not write `*/` inside a value.",
    wrong=_SQL + "description: all of docs/*/\n---\n*/\nSELECT 1\n",
    right=_SQL + "description: all of docs/\n---\n*/\nSELECT 1\n",
)
UNCLOSED_COMMENT = error(
    "S122",
    "unclosed-comment",
    "the comment that holds the metadata is not closed",
    "Put `*/` after the closing `---` line; the statement follows it.",
    wrong=_SQL + "---\nSELECT 1\n",
    right=_SQL + "---\n*/\nSELECT 1\n",
)
NO_METADATA = error(
    "S123",
    "no-metadata",
    "this file has no metadata",
    "Begin the file with `---`, then `type:` and `name:`, then `---` again. A file that is "
    "not a spec belongs outside of the specs folder (README.md is skipped).",
    wrong="---\n---\nHello!\n",
    right="---\ntype: template_function\nname: greet\n---\nHello!\n",
)
SEVERAL_METADATA = error(
    "S124",
    "several-metadata",
    "a second document begins inside the metadata",
    "One `.sql` or `.md` file holds one spec; put the other one into its own file.",
    wrong=_SQL + "--- # the next one\nname: second\n---\n*/\nSELECT 1\n",
    right=_SQL + "---\n*/\nSELECT 1\n",
)

RULES: tuple[Rule, ...] = (
    UNCLOSED_METADATA,
    COMMENT_ENDS_EARLY,
    UNCLOSED_COMMENT,
    NO_METADATA,
    SEVERAL_METADATA,
)

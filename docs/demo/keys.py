"""Write the tables of keys in docs/spec-language.md, at its marks, from the key table."""

from __future__ import annotations

import re
from pathlib import Path

from brimgen.syntax import keys
from brimgen.syntax.decls import ToolKind
from brimgen.syntax.reader import Keys

PAGE = Path(__file__).parents[1] / "spec-language.md"
SQL, HTTP = keys.TOOLS[ToolKind.SQL], keys.TOOLS[ToolKind.HTTP]
EVERY = set.intersection(*(set(table.shapes) for table in keys.TOOLS.values()))
CALLED = set(SQL.shapes) & set(HTTP.shapes) - EVERY


def only(table: Keys, wanted: set[str]) -> Keys:
    """Return the table with the keys that are wanted."""
    texts = {key: text for key, text in table.texts.items() if key in wanted}
    return Keys(table.shapes, table.synonyms, texts=texts)


TABLES = {
    "tool": only(SQL, EVERY),
    "call": only(SQL, CALLED),
    **{
        kind.value: only(table, set(table.shapes) - EVERY - CALLED)
        for kind, table in keys.TOOLS.items()
    },
    "mcp": keys.MCP_KEYS[ToolKind.SQL],
    "arguments": keys.CONTENT,
    "argument": keys.ENTRY,
    "entity": keys.ENTITY,
    "leaf": keys.LEAF,
    "python": keys.LEAF_PYTHON,
    "request": keys.REQUEST,
    "auth": keys.AUTH,
    "retry": keys.RETRY,
    "response": keys.RESPONSE,
    "message": keys.MESSAGE,
    "bundle": keys.BUNDLE,
    "limits": keys.LIMITS_OF_REQUESTS,
}


def shown(table: Keys) -> str:
    """Return the rows of a table in Markdown: each key, its other spellings, and its text."""
    rows = ["| key | also written | meaning |", "|---|---|---|"]
    for key, text in table.texts.items():
        others = [f"`{word}`" for word, of in table.synonyms.items() if of == key]
        cells = (f"`{key}`", ", ".join(others), text.replace("|", "\\|"))
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


def main() -> None:
    """Raises `KeyError` for a mark without a table, `ValueError` for a table without a mark."""
    text = PAGE.read_text("utf-8")
    mark = re.compile(r"(<!-- keys: (\w+) -->\n\n)(?:\|.*\n)*")
    missing = TABLES.keys() - {match[2] for match in mark.finditer(text)}
    if missing:
        raise ValueError(f"{PAGE.name} has no place for {missing}")
    made = mark.sub(lambda match: match[1] + shown(TABLES[match[2]]), text)
    PAGE.write_text(made, "utf-8")


if __name__ == "__main__":
    main()

"""The SQL target: the text of each statement per driver, and typed ``bind`` and ``decode``
functions.

Only parameters of the author's text are replaced; it is never rendered anew. Nothing here imports
a driver, and the generated modules import only the standard library.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.code import Code, header
from brimgen.emit.indented import json_file
from brimgen.emit.names import module_name
from brimgen.emit.render import Headed, render, render_object
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog, SqlBody
from brimgen.model.targets import target_named

if TYPE_CHECKING:
    from brimgen.emit.sql.module.decode_function import Decodings
    from brimgen.sql.rewrite import DriverText
    from brimgen.sql.statements import Bound

__all__ = ["EMITTER"]


@dataclass(frozen=True, slots=True)
class StatementFile:
    """The text of a statement for one driver."""

    header: Code
    text: Code


def files(catalog: Catalog) -> Iterator[Artifact]:
    """Write ``sql/`` (a text per driver, and what its parameters and columns are) and the modules
    in ``python/<package>/sql/``.
    """
    if not _has_statements(catalog):
        return
    from brimgen.emit.sql.module.decode_function import Decodings
    from brimgen.sql.statements import statements

    decodings = Decodings(catalog)
    folder = f"python/{catalog.project.package}/sql"
    has_any = False
    for bound in statements(catalog):
        if not bound.tool.is_for("sql"):
            continue
        yield from _tool_files(bound, decodings, folder)
        has_any = True
    if has_any:
        front = render("sql/package.py.j2", Headed(header()))
        yield Artifact(f"{folder}/__init__.py", front)


def _has_statements(catalog: Catalog) -> bool:
    """Whether there is a statement; without one, nothing that reads SQL is imported."""
    return any(isinstance(tool.body, SqlBody) for tool in catalog.tools)


def _tool_files(bound: Bound, decodings: Decodings, folder: str) -> list[Artifact]:
    from brimgen.emit.sql.module import lower
    from brimgen.emit.sql.module.bindings_view import binding

    path = f"{folder}/{module_name(bound.tool.name)}.py"
    if bound.body.query_tables:
        text = render("sql/query.py.j2", lower.query(bound))
        return [Artifact(path, text, bound.tool.sources)]
    text = render("sql/tool.py.j2", lower.module(bound, decodings))
    described = json_file(render_object("sql/binding.json.j2", binding(bound)))
    return [
        Artifact(path, text, bound.tool.sources),
        *_texts(bound),
        Artifact(f"sql/{bound.tool.name}.json", described, bound.tool.sources),
    ]


def _texts(bound: Bound) -> list[Artifact]:
    from brimgen.emit.sql.module.bindings_view import statement_file

    head = header(bound.tool.span.file, comment="-- ")
    return [
        Artifact(
            f"sql/{statement_file(bound, driver)}",
            render(
                "sql/statement.sql.j2",
                StatementFile(head, _shown(bound, driver.name)),
            ),
            bound.tool.sources,
        )
        for driver in bound.drivers
    ]


def _shown(bound: Bound, driver: str) -> Code:
    """Return the text for a driver; each text under what chooses it, where there are several."""
    if not bound.variants:
        return _with_lists(bound.texts[driver])
    names = (*bound.body.choices, *bound.compiled)
    shown: list[str] = []
    for key, variant in bound.variants.items():
        words = ("given" if value is True else value or "absent" for value in key)
        choice = ", ".join(
            f"{name}: {word}" for name, word in zip(names, words, strict=True)
        )
        text = _with_lists(variant.texts[driver])
        shown.append(f"-- {choice}\n{text.strip(chr(10))}\n")
    return Code("\n".join(shown))


def _with_lists(text: DriverText) -> Code:
    """Return a text for a reader: a list that expands as a comment in its brackets."""
    parts = [
        piece if isinstance(piece, str) else f"(/* each of {piece.slot.name} */)"
        for piece in text.pieces
    ]
    return Code("".join(parts))


EMITTER = Emitter(target_named("sql"), files)

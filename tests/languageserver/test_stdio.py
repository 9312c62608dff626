"""`brimgen lsp`, driven by a real client over stdin and stdout."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

pytestmark = pytest.mark.whole
SPEC = """\
type: sql_function
name: find_orders
description: Finds the orders of a 🛒 customer.
arguments:
  inline:
    customer_id: { type: int, description: Whose orders }
returns: Order[]
sql: SELECT id FROM orders WHERE note <> '🛒' AND customer = :customer_id
"""
ENTITY = "type: entity\nname: Order\nfields: { id: int }\n"
TIMEOUT = 60


class Editor:
    """A client, and the diagnostics that it was told last of each file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.client: Any = LanguageClient("test", "1")
        self.told: dict[str, list[lsp.Diagnostic]] = {}
        self.changed = asyncio.Event()
        self.said: list[str] = []

        def publish(params: lsp.PublishDiagnosticsParams) -> None:
            self.told[params.uri] = [*params.diagnostics]
            self.changed.set()

        def show(params: lsp.ShowMessageParams) -> None:
            self.said.append(params.message)

        self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(publish)
        self.client.feature(lsp.WINDOW_SHOW_MESSAGE)(show)

    def uri(self, name: str) -> str:
        """The URI of a spec file."""
        return (self.folder / "specs" / name).as_uri()

    async def start(self) -> lsp.InitializeResult:
        """Start the server in another folder, and open the project."""
        await self.client.start_io(
            sys.executable, "-m", "brimgen", "lsp", cwd=str(self.folder.parent)
        )
        answer = await self.client.initialize_async(
            lsp.InitializeParams(
                capabilities=lsp.ClientCapabilities(), root_uri=self.folder.as_uri()
            )
        )
        self.client.initialized(lsp.InitializedParams())
        return answer

    async def write(self, name: str, text: str, version: int) -> None:
        """Type a text into a file that is open."""
        document = lsp.VersionedTextDocumentIdentifier(version, self.uri(name))
        change = lsp.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(document, [change])
        )

    async def codes(self, name: str, expected: set[str]) -> None:
        """Wait until a file has exactly these diagnostics."""
        while {
            str(each.code) for each in self.told.get(self.uri(name), [])
        } != expected:
            self.changed.clear()
            await asyncio.wait_for(self.changed.wait(), TIMEOUT)

    def at(self, name: str, text: str, place: str) -> dict[str, Any]:
        """The position in front of ``place``, in units of UTF-16."""
        before = text[: text.index(place)]
        line = before.count("\n")
        column = before.rpartition("\n")[2].encode("utf-16-le")
        return {
            "text_document": lsp.TextDocumentIdentifier(self.uri(name)),
            "position": lsp.Position(line, len(column) // 2),
        }


async def _session(folder: Path) -> None:
    editor = Editor(folder)
    answer = await editor.start()
    assert answer.capabilities.definition_provider is not None
    client = editor.client
    opened = lsp.TextDocumentItem(editor.uri("find.yaml"), "yaml", 1, SPEC)
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(opened))

    slip = SPEC.replace("returns", "retruns").replace("Order[]", "Oder[]")
    await editor.write("find.yaml", slip, 2)
    await editor.codes("find.yaml", {"S203", "R311"})
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(9, 0))
    actions = await client.text_document_code_action_async(
        lsp.CodeActionParams(
            lsp.TextDocumentIdentifier(editor.uri("find.yaml")),
            whole,
            lsp.CodeActionContext([]),
        )
    )
    assert ["Write returns", "Write Order"] == [each.title for each in actions]
    await editor.write("find.yaml", SPEC, 3)
    await editor.codes("find.yaml", set())

    found = await client.text_document_hover_async(
        lsp.HoverParams(**editor.at("find.yaml", SPEC, "customer_id\n"))
    )
    assert "integer; required" in found.contents.value
    place = await client.text_document_definition_async(
        lsp.DefinitionParams(**editor.at("find.yaml", SPEC, "Order[]"))
    )
    assert (editor.uri("order.yaml"), 1) == (place.uri, place.range.start.line)
    listed = await client.text_document_completion_async(
        lsp.CompletionParams(**editor.at("find.yaml", SPEC, "Order[]"))
    )
    assert {"int", "Order"} <= {each.label for each in listed.items}

    ugly = SPEC.replace("inline:\n    ", "inline:\n        ")
    await editor.write("find.yaml", ugly, 4)
    edits = await client.text_document_formatting_async(
        lsp.DocumentFormattingParams(
            lsp.TextDocumentIdentifier(editor.uri("find.yaml")),
            lsp.FormattingOptions(2, True),
        )
    )
    assert [SPEC] == [each.new_text for each in edits]
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()
    assert 0 == client._server.returncode


def test_an_editor_tells_shows_completes_formats_and_ends(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "project"
    (folder / "specs").mkdir(parents=True)
    (folder / "specs/find.yaml").write_text(SPEC)
    (folder / "specs/order.yaml").write_text(ENTITY)
    asyncio.run(asyncio.wait_for(_session(folder), 3 * TIMEOUT))

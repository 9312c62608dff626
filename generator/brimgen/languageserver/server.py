"""Speak the Language Server Protocol: the only module that knows pygls."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from brimgen import __version__
from brimgen.diagnostics import Diagnostic, Diagnostics, Severity, Span
from brimgen.languageserver import answers
from brimgen.languageserver.analysis import Analysis, analyse
from brimgen.languageserver.answers import Question
from brimgen.model.catalog import Bundle, Entity, EnumEntity, Tool
from brimgen.model.leaves import Leaf
from brimgen.settings.load import Flags, load_settings

_SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.INFO: lsp.DiagnosticSeverity.Information,
}
_KINDS = {
    "key": lsp.CompletionItemKind.Property,
    "type": lsp.CompletionItemKind.Class,
    "word": lsp.CompletionItemKind.Value,
    "argument": lsp.CompletionItemKind.Variable,
}
_SYMBOLS = {
    Tool: lsp.SymbolKind.Function,
    Entity: lsp.SymbolKind.Class,
    EnumEntity: lsp.SymbolKind.Enum,
    Leaf: lsp.SymbolKind.Class,
    Bundle: lsp.SymbolKind.Namespace,
}
_AtPosition: TypeAlias = (
    lsp.HoverParams | lsp.DefinitionParams | lsp.CompletionParams | lsp.ReferenceParams
)
_PAUSE = 0.2
"""Seconds without a key press, after which the specs are analysed."""
_TRIGGERS = [":", "{", ".", " ", "$"]


def serve(config: Path | None) -> None:
    """Serve an editor on stdin and stdout until it ends."""
    SpecServer(config).run()


class SpecServer:
    """Keeps the last analysis of the project, and answers from it."""

    def __init__(self, config: Path | None) -> None:
        self._config = config
        self._analysis: Analysis | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._published: set[str] = set()
        self._server: Any = LanguageServer("brimgen", __version__)
        options = lsp.CompletionOptions(trigger_characters=_TRIGGERS)
        for method, answer, *more in (
            (lsp.INITIALIZED, self._initialized),
            (lsp.TEXT_DOCUMENT_DID_OPEN, self._changed),
            (lsp.TEXT_DOCUMENT_DID_CHANGE, self._typed),
            (lsp.TEXT_DOCUMENT_DID_SAVE, self._changed),
            (lsp.TEXT_DOCUMENT_DID_CLOSE, self._changed),
            (lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, self._changed),
            (lsp.TEXT_DOCUMENT_HOVER, self._hover),
            (lsp.TEXT_DOCUMENT_DEFINITION, self._define),
            (lsp.TEXT_DOCUMENT_REFERENCES, self._refer),
            (lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, self._outline),
            (lsp.TEXT_DOCUMENT_COMPLETION, self._complete, options),
            (lsp.TEXT_DOCUMENT_CODE_ACTION, self._correct),
            (lsp.TEXT_DOCUMENT_FORMATTING, self._format),
        ):
            self._server.feature(method, *more)(_function(answer))

    def run(self) -> None:
        """Serve until the editor ends."""
        self._server.start_io()

    def _initialized(self, _: lsp.InitializedParams) -> None:
        root = self._server.workspace.root_path
        if root and self._config is None:
            os.chdir(root)
        self._analyse()

    def _changed(self, _: object) -> None:
        self._analyse()

    def _typed(self, _: object) -> None:
        """Analyse once nothing was typed for a moment."""
        self._forget_timer()
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(_PAUSE, self._analyse)

    def _forget_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None

    def _current(self) -> Analysis | None:
        """The analysis of what is written now."""
        if self._timer is not None:
            self._analyse()
        return self._analysis

    def _analyse(self) -> None:
        self._forget_timer()
        diagnostics = Diagnostics()
        settings = load_settings(Flags(config=self._config), diagnostics)
        if diagnostics.has_errors:
            message = "; ".join(
                f"{diagnostic.span.file}: {diagnostic.message}"
                for diagnostic in diagnostics
            )
            self._server.window_show_message(
                lsp.ShowMessageParams(lsp.MessageType.Error, f"brimgen: {message}")
            )
            return
        documents = self._server.workspace.text_documents
        unsaved = {
            Path(document.path): _lines(document.source)
            for document in documents.values()
        }
        self._analysis = analyse(settings, unsaved, self._analysis)
        self._publish(self._analysis)

    def _publish(self, analysis: Analysis) -> None:
        """Show the diagnostics of all files, and take back those that are gone."""
        by_uri: dict[str, list[lsp.Diagnostic]] = {}
        for diagnostic in analysis.diagnostics:
            path = analysis.place_of(diagnostic.span)
            if path is not None:
                lsp_diagnostic = self._diagnostic(diagnostic, analysis)
                by_uri.setdefault(_uri(path), []).append(lsp_diagnostic)
        for uri in {*by_uri, *self._published}:
            shown = by_uri.get(uri, [])
            self._server.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(uri, shown)
            )
        self._published = {*by_uri}

    def _diagnostic(self, diagnostic: Diagnostic, analysis: Analysis) -> lsp.Diagnostic:
        sentences = [
            diagnostic.message,
            *(f"did you mean {near}?" for near in diagnostic.suggestions),
        ]
        related = [
            lsp.DiagnosticRelatedInformation(
                lsp.Location(_uri(path), _range(analysis, note.span)), note.text
            )
            for note in diagnostic.notes
            if (path := analysis.place_of(note.span)) is not None
        ]
        return lsp.Diagnostic(
            range=_range(analysis, diagnostic.span),
            message="; ".join(sentences),
            severity=_SEVERITIES[diagnostic.rule.severity],
            code=diagnostic.rule.code,
            source="brimgen",
            related_information=related or None,
        )

    def _question(self, params: _AtPosition) -> Question:
        document = self._server.workspace.get_text_document(params.text_document.uri)
        text: str = _lines(document.source)
        lines = text.split("\n")
        at = params.position
        line = lines[at.line] if at.line < len(lines) else ""
        return Question(
            Path(document.path),
            text,
            min(at.line, len(lines) - 1) + 1,
            _code_points(line, at.character) + 1,
        )

    def _hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        analysis = self._current()
        text = answers.hover(self._question(params), analysis) if analysis else None
        shown = lsp.MarkupContent(lsp.MarkupKind.Markdown, text or "")
        return lsp.Hover(shown) if text else None

    def _define(self, params: lsp.DefinitionParams) -> lsp.Location | None:
        analysis = self._current()
        span = answers.define(self._question(params), analysis) if analysis else None
        return next(iter(_locations(analysis, [span] if span else [])), None)

    def _refer(self, params: lsp.ReferenceParams) -> list[lsp.Location]:
        analysis = self._current()
        found = answers.references(self._question(params), analysis) if analysis else []
        return _locations(analysis, found)

    def _outline(self, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        analysis, path = self._current(), to_fs_path(params.text_document.uri)
        source = analysis.source_at(Path(path)) if analysis and path else None
        if analysis is None or source is None:
            return []
        return [
            lsp.DocumentSymbol(
                name=each.name,
                kind=_SYMBOLS[type(each)],
                range=_range(analysis, each.span),
                selection_range=_range(analysis, each.span),
            )
            for each in answers.declared_in(source.name, analysis)
        ]

    def _complete(self, params: lsp.CompletionParams) -> lsp.CompletionList:
        analysis = self._analysis
        suggestions = (
            answers.complete(self._question(params), analysis) if analysis else []
        )
        items = [
            lsp.CompletionItem(
                label=suggestion.label,
                kind=_KINDS[suggestion.kind],
                insert_text=(
                    f"{suggestion.label}: "
                    if suggestion.kind == "key"
                    else suggestion.label
                ),
                documentation=lsp.MarkupContent(
                    lsp.MarkupKind.Markdown, suggestion.text
                ),
            )
            for suggestion in suggestions
        ]
        return lsp.CompletionList(is_incomplete=False, items=items)

    def _correct(self, params: lsp.CodeActionParams) -> Sequence[lsp.CodeAction]:
        analysis, uri = self._current(), params.text_document.uri
        path = to_fs_path(uri)
        if analysis is None or path is None:
            return []
        return [
            lsp.CodeAction(
                title=f"Write {correction.new}",
                kind=lsp.CodeActionKind.QuickFix,
                is_preferred=True,
                edit=lsp.WorkspaceEdit(
                    changes={
                        uri: [
                            lsp.TextEdit(
                                _range(analysis, correction.span), correction.new
                            )
                        ]
                    }
                ),
            )
            for correction in answers.corrections(analysis, Path(path))
            if params.range.start.line
            < correction.span.line
            <= params.range.end.line + 1
        ]

    def _format(self, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        document = self._server.workspace.get_text_document(params.text_document.uri)
        text = _lines(document.source)
        analysis = self._analysis
        path = Path(document.path)
        formatted = answers.formatted(path, text, analysis) if analysis else None
        if formatted is None or formatted == text:
            return []
        whole = lsp.Range(lsp.Position(0, 0), lsp.Position(text.count("\n") + 1, 0))
        return [lsp.TextEdit(whole, formatted)]


def _function(answer: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A function that pygls can put marks on, which methods do not take."""

    def handle(params: Any) -> Any:
        return answer(params)

    return handle


def _lines(text: str) -> str:
    """A text with the line ends that analysis knows."""
    return text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")


def _locations(analysis: Analysis | None, spans: Iterable[Span]) -> list[lsp.Location]:
    return [
        lsp.Location(_uri(path), _range(analysis, span))
        for span in spans
        if analysis is not None and (path := analysis.place_of(span)) is not None
    ]


def _uri(path: Path) -> str:
    return from_fs_path(str(path)) or ""


def _range(analysis: Analysis, span: Span) -> lsp.Range:
    """A span as the protocol counts: lines from 0, columns in units of UTF-16."""
    source = analysis.sources.get(span.file)
    lines = source.text.split("\n") if source else []

    def position(line: int, column: int) -> lsp.Position:
        text = lines[line - 1] if line <= len(lines) else ""
        units = len(text[: column - 1].encode("utf-16-le", "surrogatepass")) // 2
        return lsp.Position(line - 1, units)

    start = position(span.line, span.column)
    return lsp.Range(start, position(span.end_line, span.end_column))


def _code_points(line: str, units: int) -> int:
    """How many characters the first ``units`` of UTF-16 of a line are."""
    data = line.encode("utf-16-le", "surrogatepass")[: 2 * units]
    return len(data.decode("utf-16-le", "replace"))

"""Where an event stands in its file: marks of the parser in, spans out."""

from __future__ import annotations

from brimgen.diagnostics import Span, TextBlock
from brimgen.regex import regex
from brimgen.source.events import Event, ScalarEvent
from brimgen.source.places import Places

_PROPERTIES = regex(r"(?:(?:!<[^>\s]*>|[&!][^\s,\[\]{}]*)(?:\s+#[^\n]*|\s+)*)+")
_TAG = regex(r"(?:&\S*\s+)?(!<[^>\s]*>|![^\s,\[\]{}]*)")


class EventPlaces(Places):
    """Answers with the spans of events, besides those of lines and columns."""

    def marked(self, event: Event) -> Span:
        """The whole of an event, as the parser sees it."""
        begin, end = event.start_mark, event.end_mark
        return Span(
            self.file, begin.line + 1, begin.column + 1, end.line + 1, end.column + 1
        )

    def start(self, event: Event) -> tuple[int, int]:
        """(line, column) from 1 of the content, behind its anchor and tag."""
        begin = event.start_mark
        if event.anchor is None and event.tag is None:
            return begin.line + 1, begin.column + 1
        properties = _PROPERTIES.match(self.text, begin.index)
        end = event.end_mark
        if properties is None:
            return begin.line + 1, begin.column + 1
        if isinstance(event, ScalarEvent) and properties.end() >= end.index:
            return end.line + 1, end.column + 1
        return self._after(event, properties.end())

    def tag(self, event: Event) -> tuple[str, Span]:
        """The tag of a node, as written, and its place."""
        match = _TAG.match(self.text, event.start_mark.index)
        if match is None:
            return event.tag or "!", self.marked(event)
        line, column = self._after(event, match.start(1))
        return match[1], Span(self.file, line, column, line, column + len(match[1]))

    def _after(self, event: Event, index: int) -> tuple[int, int]:
        """(line, column) from 1 of an index a little behind the start of ``event``."""
        begin = event.start_mark
        skipped = self.text.count("\n", begin.index, index)
        if not skipped:
            return begin.line + 1, begin.column + 1 + index - begin.index
        return begin.line + 1 + skipped, index - self.text.rfind("\n", 0, index)

    def block_scalar(self, event: Event) -> tuple[Span, TextBlock | None]:
        """The span of a literal or folded scalar, and of a literal one the place of each line."""
        end = event.end_mark
        last = end.line if end.column else end.line - 1
        is_literal = event.style == "|"
        return self.block(self.start(event), last, event.value, is_literal=is_literal)

"""The input of every renderer, and helpers to write text that comes from a spec."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from brimgen.diagnostics.diagnostic import Diagnostic
from brimgen.diagnostics.span import Span
from brimgen.frozen import dataclass

_LONGEST = 600


class Source(Protocol):
    """A spec file that was read."""

    @property
    def text(self) -> str:
        """Its text."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Diagnostics in the order in which to show them, and what the renderers need beside them."""

    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[str, Source]
    prefix: str = ""
    colour: bool = False
    version: str = ""

    def path(self, span: Span) -> str:
        """The file of ``span`` as the user would write it."""
        return visible(self.prefix + span.file)

    def place(self, span: Span) -> str:
        """``path:line:column``; the name of an option, which has neither."""
        if span.file.startswith("--"):
            return span.file
        return f"{self.path(span)}:{span.line}:{span.column}"


def visible(text: str) -> str:
    """``text`` on one line and harmless to a terminal: what cannot be printed is escaped.

    Values in messages are the author's, and an escape in YAML can hold any character.
    """
    if len(text) > _LONGEST:
        text = f"{text[:_LONGEST]}…"
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else _escaped(character)
        for character in text
    )


def _escaped(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def did_you_mean_text(suggestions: tuple[str, ...]) -> str:
    """Return ``did you mean `a` or `b`?``, or nothing."""
    if not suggestions:
        return ""
    return f"did you mean {' or '.join(f'`{visible(suggestion)}`' for suggestion in suggestions)}?"


def advice(report: Report, diagnostic: Diagnostic) -> str:
    """What to do about a diagnostic: suggestions, the advice of its rule, related places."""
    notes = [f"{report.place(note.span)}: {note.text}" for note in diagnostic.notes]
    lines = [did_you_mean_text(diagnostic.suggestions), diagnostic.rule.help, *notes]
    return "\n".join(line for line in lines if line)

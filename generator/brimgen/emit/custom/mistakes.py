"""Exceptions for mistakes in a template, with their place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from brimgen.diagnostics import Diagnostic, Diagnostics, Rule, Span


class TemplateMistake(Exception):
    """A mistake in a template of a project: a rule, the place, and what fills the message."""

    def __init__(
        self,
        rule: Rule,
        span: Span,
        *,
        suggestions: Sequence[str] = (),
        **values: str,
    ) -> None:
        message = rule.message.format(**values)
        super().__init__(message)
        first_two = tuple(dict.fromkeys(suggestions))[:2]
        self.diagnostic = Diagnostic(rule, span, message, suggestions=first_two)

    def report(self, diagnostics: Diagnostics) -> None:
        """Add it to ``diagnostics``."""
        diagnostics.extend([self.diagnostic])


class TemplateMistakes(Exception):
    """All mistakes that were met while the files of a target were made."""

    def __init__(self, mistakes: Iterable[TemplateMistake]) -> None:
        self.mistakes = tuple(mistakes)
        super().__init__("; ".join(map(str, self.mistakes)))

    def report(self, diagnostics: Diagnostics) -> None:
        """Add them to ``diagnostics``."""
        for mistake in self.mistakes:
            mistake.report(diagnostics)

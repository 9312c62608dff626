"""Report what cannot be compiled of prompt templates, and where it stands."""

from __future__ import annotations

from collections.abc import Iterable

from brimgen.diagnostics import Diagnostics, Span, TextBlock
from brimgen.diagnostics.rules import NOT_IN_PROMPTS
from brimgen.emit.prompts.expressions import Unsupported
from brimgen.emit.prompts.statements import compile_template
from brimgen.model.catalog import TemplateBody, Tool


def check_prompts(tools: Iterable[Tool], diagnostics: Diagnostics) -> None:
    """Report the first thing in every message that compiled prompts do not support (T480).

    A template that has an error already is left out.
    """
    reported_spans = [diagnostic.span for diagnostic in diagnostics]
    for tool in tools:
        assert isinstance(tool.body, TemplateBody)
        for message in tool.body.messages:
            template = message.template
            if any(
                _is_inside(reported_span, template.span)
                for reported_span in reported_spans
            ):
                continue
            try:
                compile_template(template.text, frozenset())
            except Unsupported as problem:
                diagnostics.add(
                    NOT_IN_PROMPTS, _line(template, problem.line), what=problem.what
                )
            except (RecursionError, ValueError, SyntaxError):
                diagnostics.add(NOT_IN_PROMPTS, template.span, what="this template")


def _is_inside(span: Span, whole: Span) -> bool:
    return span.file == whole.file and whole.line <= span.line <= whole.end_line


def _line(template: TextBlock, line: int) -> Span:
    lines = template.text.split("\n")
    row = min(max(line, 1), len(lines)) - 1
    start = sum(len(text) + 1 for text in lines[:row])
    return template.span_at(start, start + len(lines[row]))

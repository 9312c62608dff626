"""Tools that the configuration retires: those that are there again told."""

from __future__ import annotations

from collections.abc import Mapping

from brimgen.diagnostics import Diagnostics, Note, Span
from brimgen.diagnostics.rules.lint import RETIRED_TOOL_BACK
from brimgen.lint.options import LintOptions
from brimgen.lint.tell import weighed


def tell_back(
    tools: Mapping[str, Span], options: LintOptions, found: Diagnostics
) -> None:
    """Report each of ``tools``, with its place, that ``options`` call retired, at the line that
    says so."""
    severity = options.severities.get(RETIRED_TOOL_BACK.code)
    if severity is None:
        return
    rule = weighed(RETIRED_TOOL_BACK, severity)
    for name in tools.keys() & options.retired.keys():
        notes = (Note(tools[name], "the tool"),)
        found.add(rule, options.retired[name], notes=notes, tool=name)

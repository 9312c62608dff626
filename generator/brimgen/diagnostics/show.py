"""Diagnostics in, text out: one renderer a format, and the line that sums them up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from brimgen.diagnostics.diagnostic import Diagnostic
from brimgen.diagnostics.rule import Severity
from brimgen.diagnostics.show_concise import concise, lines
from brimgen.diagnostics.show_full import full, paragraphs
from brimgen.diagnostics.show_report import Report, Source

__all__ = ["FORMATS", "Report", "Source", "closed", "show", "show_each", "summary"]


def _as_json(report: Report) -> str:
    from brimgen.diagnostics.show_json import as_json

    return as_json(report)


def _github(report: Report) -> str:
    from brimgen.diagnostics.show_github import github

    return github(report)


def _sarif(report: Report) -> str:
    from brimgen.diagnostics.show_sarif import sarif

    return sarif(report)


def _gitlab(report: Report) -> str:
    from brimgen.diagnostics.show_gitlab import gitlab

    return gitlab(report)


def _junit(report: Report) -> str:
    from brimgen.diagnostics.show_junit import junit

    return junit(report)


FORMATS: Mapping[str, Callable[[Report], str]] = MappingProxyType(
    {
        "full": full,
        "concise": concise,
        "json": _as_json,
        "github": _github,
        "gitlab": _gitlab,
        "sarif": _sarif,
        "junit": _junit,
    }
)
"""What programs read is imported when it is asked for."""


def show(
    diagnostics: Iterable[Diagnostic],
    format: str = "full",
    *,
    sources: Mapping[str, Source] = MappingProxyType({}),
    prefix: str = "",
    colour: bool = False,
    version: str = "",
) -> str:
    """``diagnostics`` in one of `FORMATS`; ends with a line end unless it is empty.

    ``sources`` are the spec files by their stable names, for the lines that ``full`` quotes;
    ``prefix`` stands before every stable name, such as ``shop/`` where the specs folder is
    ``shop/specs``; ``colour`` is for formats that people read, ``version`` (of brimgen) for
    those that name the tool. Raises KeyError for a format that does not exist.
    """
    report = Report(
        diagnostics=tuple(diagnostics),
        sources=sources,
        prefix=prefix,
        colour=colour,
        version=version,
    )
    return FORMATS[format](report)


def show_each(
    diagnostics: Iterable[Diagnostic],
    format: str,
    *,
    sources: Mapping[str, Source] = MappingProxyType({}),
    colour: bool = False,
) -> tuple[str, ...]:
    """Each of ``diagnostics`` as `show` writes it, in one of the formats for people."""
    report = Report(diagnostics=tuple(diagnostics), sources=sources, colour=colour)
    return paragraphs(report) if format == "full" else lines(report)


def closed(texts: Sequence[str], severities: Iterable[Severity], format: str) -> str:
    """The ``texts`` of `show_each` as one, with a line that counts them; nothing for none."""
    blank = "\n" if format == "full" else ""
    ending = (f"brimgen: {_counts([*severities])}\n",) if texts else ()
    return blank.join((*texts, *ending))


def summary(diagnostics: Iterable[Diagnostic]) -> str:
    """How many of each severity: ``3 errors, 1 warning``, or ``no problems``."""
    return _counts([each.rule.severity for each in diagnostics])


def _counts(severities: Sequence[Severity]) -> str:
    counts = ((severities.count(each), each) for each in Severity)
    said = ", ".join(_count(number, each) for number, each in counts if number)
    return said or "no problems"


def _count(number: int, severity: Severity) -> str:
    word = "note" if severity is Severity.INFO else severity.value
    return f"{number} {word}" if number == 1 else f"{number} {word}s"

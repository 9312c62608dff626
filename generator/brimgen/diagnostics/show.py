"""Write diagnostics in any of the formats, and the line that sums them up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias, cast

from brimgen.diagnostics.diagnostic import Diagnostic
from brimgen.diagnostics.rule import Severity

if TYPE_CHECKING:
    from brimgen.diagnostics.show_report import Report, Source

__all__ = [
    "FORMATS",
    "Help",
    "by_severity",
    "few_frames",
    "helps_once",
    "per_file",
    "show",
    "show_each",
    "summary",
    "with_closing_count",
]

Help: TypeAlias = tuple[str, str]
"""The code of a rule, and its advice."""

FORMATS: Mapping[str, str] = MappingProxyType(
    {
        "full": "full",
        "concise": "concise",
        "json": "as_json",
        "github": "github",
        "sarif": "sarif",
        "junit": "junit",
    }
)
"""The renderer of each format; imported when there is something to show."""


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
    renderer = FORMATS[format]
    from brimgen.diagnostics.show_report import Report

    report = Report(
        diagnostics=tuple(diagnostics),
        sources=sources,
        prefix=prefix,
        colour=colour,
        version=version,
    )
    home = "full" if format == "concise" else format
    room = import_module(f"brimgen.diagnostics.show_{home}")
    render = cast("Callable[[Report], str]", getattr(room, renderer))
    return render(report)


def show_each(
    diagnostics: Iterable[Diagnostic],
    format: str,
    *,
    sources: Mapping[str, Source],
    colour: bool,
) -> tuple[str, ...]:
    """Each of ``diagnostics`` as `show` writes it, in one of the formats for people."""
    shown = tuple(diagnostics)
    if not shown:
        return ()
    from brimgen.diagnostics.show_full import lines, paragraphs
    from brimgen.diagnostics.show_report import Report

    report = Report(diagnostics=shown, sources=sources, colour=colour)
    return paragraphs(report) if format == "full" else lines(report)


def helps_once(texts: Sequence[str], helps: Iterable[Help]) -> tuple[str, ...]:
    """Remove repeated advice from the ``texts`` of `show_each` in the format ``full``.

    The advice of a rule is shown once in a run, at the first place.
    """
    shown_helps: set[Help] = set()
    shortened: list[str] = []
    for text, help_ in zip(texts, helps, strict=True):
        if help_ in shown_helps and help_[1]:  # the last line of its text
            text = text[: text.rindex("\n", 0, -1) + 1]
        shown_helps.add(help_)
        shortened.append(text)
    return tuple(shortened)


_FRAMES = 3
"""So many warnings or infos of a rule are shown with their source lines."""


def few_frames(
    diagnostics: Sequence[Diagnostic], texts: Sequence[str], lines: Sequence[str]
) -> tuple[str, ...]:
    """Show the first warnings of a rule by their ``texts``, the others by their ``lines``.

    Errors are all shown by their texts.

    ``texts`` are those of `show_each` in the format ``full``, ``lines`` those in ``concise``.
    """
    counts: Counter[str] = Counter()
    shown: list[str] = []
    for diagnostic, text, line in zip(diagnostics, texts, lines, strict=True):
        counts[diagnostic.rule.code] += 1
        is_framed = (
            diagnostic.rule.severity is Severity.ERROR
            or counts[diagnostic.rule.code] <= _FRAMES
        )
        shown.append(text if is_framed else line)
    return tuple(shown)


def by_severity(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Sort by severity, errors first; diagnostics of one severity keep their order."""
    order = [*Severity]
    return tuple(
        sorted(
            diagnostics, key=lambda diagnostic: order.index(diagnostic.rule.severity)
        )
    )


def with_closing_count(
    texts: Sequence[str], severities: Iterable[Severity], format: str, files: str = ""
) -> str:
    """Join the ``texts`` of `show_each`, with a line that counts them; nothing for none.

    ``files`` are the lines of `per_file`, which stand above that line. In the format ``full`` a
    blank line stands beside every text of several lines, and above the count.
    """
    if not texts:
        return ""
    ending = f"{files}brimgen: {_counts([*severities])}\n"
    if format != "full":
        return "".join((*texts, ending))
    pieces: list[str] = []
    for text, following in pairwise((*texts, "")):
        is_line_before_line = text.count("\n") == following.count("\n") == 1
        pieces.append(text if is_line_before_line else f"{text}\n")
    return "".join((*pieces, ending))


_MANY = 20
"""More diagnostics than these, in several files, are counted for each file."""
_MOST_FILES = 20
"""More files than these are not listed."""


def per_file(diagnostics: Sequence[Diagnostic]) -> str:
    """One line for each file: how many diagnostics of each severity it has. Nothing for few."""
    files: dict[str, list[Severity]] = {}
    for diagnostic in diagnostics:
        files.setdefault(diagnostic.span.file, []).append(diagnostic.rule.severity)
    if len(diagnostics) <= _MANY or len(files) == 1:
        return ""
    from brimgen.diagnostics.show_report import visible

    lines = [
        f"{visible(file)}: {_counts(counts)}\n"
        for file, counts in [*files.items()][:_MOST_FILES]
    ]
    if (more := len(files) - _MOST_FILES) > 0:
        lines.append(f"and {more} more {'file' if more == 1 else 'files'}\n")
    return "".join(lines)


def summary(diagnostics: Iterable[Diagnostic]) -> str:
    """How many of each severity: ``3 errors, 1 warning``, or ``no problems``."""
    return _counts([diagnostic.rule.severity for diagnostic in diagnostics])


def _counts(severities: Sequence[Severity]) -> str:
    counts = ((severities.count(severity), severity) for severity in Severity)
    counted = ", ".join(
        _count(number, severity) for number, severity in counts if number
    )
    return counted or "no problems"


def _count(number: int, severity: Severity) -> str:
    return f"{number} {severity}" if number == 1 else f"{number} {severity}s"

"""Write JUnit XML: a suite for each file, a failed case for each error and warning."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from brimgen.diagnostics.diagnostic import Diagnostic
from brimgen.diagnostics.rule import Severity
from brimgen.diagnostics.show_report import Report, advice, visible


def junit(report: Report) -> str:
    """Write one document; without diagnostics it has one case that passed.

    `info` fails nothing: it is the output of a case that passed.
    """
    failures = _failures(report.diagnostics)
    total = len(report.diagnostics) or 1
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name="brimgen" tests="{total}" failures="{failures}" errors="0">',
        *_suites(report),
        "</testsuites>",
    ]
    return "\n".join(lines) + "\n"


def _suites(report: Report) -> Iterator[str]:
    if not report.diagnostics:
        yield '  <testsuite name="brimgen" tests="1" failures="0" errors="0">'
        yield '    <testcase name="specs" classname="brimgen"/>'
        yield "  </testsuite>"
    for file, group in groupby(
        report.diagnostics, lambda diagnostic: diagnostic.span.file
    ):
        diagnostics = tuple(group)
        name = _attribute(report.prefix + file)
        yield (
            f'  <testsuite name={name} tests="{len(diagnostics)}"'
            f' failures="{_failures(diagnostics)}" errors="0">'
        )
        for diagnostic in diagnostics:
            yield from _case(report, diagnostic, name)
        yield "  </testsuite>"


def _case(report: Report, diagnostic: Diagnostic, file: str) -> Iterator[str]:
    rule, span = diagnostic.rule, diagnostic.span
    name = _attribute(f"{rule.code} {rule.reason} {span.line}:{span.column}")
    yield f'    <testcase name={name} classname={file} file={file} line="{span.line}">'
    text = f"{report.place(span)}: {diagnostic.message}\n{advice(report, diagnostic)}"
    if rule.severity is Severity.INFO:
        yield f"      <system-out>{_text(text)}</system-out>"
    else:
        message = _attribute(diagnostic.message)
        kind = _attribute(rule.severity.value)
        yield f"      <failure message={message} type={kind}>{_text(text)}</failure>"
    yield "    </testcase>"


def _failures(diagnostics: tuple[Diagnostic, ...]) -> int:
    return sum(
        diagnostic.rule.severity is not Severity.INFO for diagnostic in diagnostics
    )


def _attribute(text: str) -> str:
    return quoteattr(visible(text))


def _text(text: str) -> str:
    """Text that XML can hold: its lines, with every other odd character escaped."""
    return escape("\n".join(visible(line) for line in text.split("\n")))

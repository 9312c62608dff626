"""Explain YAML syntax errors: what is wrong, and how to repair it."""

from __future__ import annotations

import re

from brimgen.diagnostics import Diagnostics, Note, Span
from brimgen.diagnostics.rules import (
    COLON_IN_VALUE,
    TAB_INDENT,
    TYPE_NEEDS_QUOTES,
    UNCLOSED,
    UNKNOWN_ESCAPE,
    UNPAIRED_SURROGATE,
    VALUE_NEEDS_QUOTES,
    YAML_SYNTAX,
)
from brimgen.source.events import YamlFailure
from brimgen.source.places import Places
from brimgen.source.yaml_lines import (
    report_conflict,
    report_glued,
    report_line,
    report_quotes,
)

# What libyaml or the pure loader says, and the message for both.
_WORDS = (
    ("expected ',' or '}'", "expected `,` or `}`"),
    ("expected ',' or ']'", "expected `,` or `]`"),
    ("'-' indicator", "expected `- ` at the indentation of the list"),
    ("expected key", "expected a key at the indentation of the mapping"),
    (
        "expected <block end>",
        "expected a key or item at the indentation of those above",
    ),
    ("expected node content", "expected a value"),
    ("expected the node content", "expected a value"),
    ("<document start>", "expected `---` or the end of the file"),
)
_BRACKETS = re.compile(r"expected ',' or '[}\]]'")
_NAME_BEFORE = re.compile(r"[A-Za-z_][\w.-]*\Z")
_MARKS_BEHIND = re.compile(r"(?:\?|\[[^\[\]{}\n]*\])*")
_END_OF_VALUE = re.compile(r"[,}\]]|[ \t]+#")
_HALF_PAIR = re.compile(r"\\u([dD][89a-fA-F][0-9a-fA-F]{2})")


def report(failure: YamlFailure, places: Places, diagnostics: Diagnostics) -> None:
    """Report where and why the YAML of a file cannot be read further."""
    span = places.mark(*failure.place)
    line, column = failure.place
    text = places.lines[line] if line < len(places.lines) else ""
    character = text[column : column + 1]
    problem = failure.problem
    if report_conflict(failure, places, diagnostics) or report_quotes(
        failure, places, diagnostics
    ):
        return
    if _BRACKETS.search(problem) and _report_type(text, column, span, diagnostics):
        return
    if _is_unclosed(failure, places):
        opening = places.mark(*(failure.context_place or failure.place))
        diagnostics.add(UNCLOSED, opening, kind=_opened(failure.context))
    elif "tab character" in problem or (character == "\t" and "token" in problem):
        diagnostics.add(TAB_INDENT, span)
    elif _report_text(failure, places, diagnostics):
        return
    elif "escape" in problem and (half := _HALF_PAIR.search(text, max(0, column - 6))):
        where = Span(span.file, span.line, half.start() + 1, span.line, half.end() + 1)
        diagnostics.add(UNPAIRED_SURROGATE, where, code=f"U+{half[1].upper()}")
    elif "unknown escape" in problem and (slash := text.find("\\", column - 1)) >= 0:
        where = Span(span.file, span.line, slash + 1, span.line, slash + 3)
        diagnostics.add(UNKNOWN_ESCAPE, where, text=text[slash : slash + 2])
    elif character in ("]", "}"):
        diagnostics.add(YAML_SYNTAX, span, problem=f"this `{character}` closes nothing")
    elif not report_line(failure, places, diagnostics):
        notes = _context(failure, places)
        diagnostics.add(YAML_SYNTAX, span, notes=notes, problem=_reworded(problem))


def _report_text(
    failure: YamlFailure, places: Places, diagnostics: Diagnostics
) -> bool:
    """Report a YAML indicator that was meant as text or lacks its space; return if it was one."""
    line, column = failure.place
    text = places.lines[line] if line < len(places.lines) else ""
    problem = failure.problem
    has_value, end = ": " in text[:column], len(text)
    if "cannot start any token" in problem:
        _report_mark(places.mark(line, column), places, diagnostics)
        return True
    if "alphabetic or numeric" in problem and failure.context_place:
        _report_mark(places.mark(*failure.context_place), places, diagnostics)
        return True
    if "mapping values are not allowed" in problem:
        if not has_value:
            return _is_glued_above(places, line, diagnostics)
        begin = text.index(": ") + 2
    elif has_value and _BRACKETS.search(problem) and text[column : column + 1] == ":":
        begin = text.rindex(": ", 0, column) + 2
        found_end = _END_OF_VALUE.search(text, column)
        end = found_end.start() if found_end else end
    else:
        return False
    near = _quoted_value(text, begin, end)
    diagnostics.add(COLON_IN_VALUE, places.mark(line, column), suggestions=near)
    return True


def _quoted_value(text: str, begin: int, end: int) -> tuple[str, ...]:
    """Put a part of a line in quotes; return nothing where it has quotes already."""
    value = text[begin:end].strip()
    return () if set(value) & {'"', "\\"} else (f'"{value}"',)


def _report_mark(span: Span, places: Places, diagnostics: Diagnostics) -> None:
    """Report a mark of YAML that begins what was meant as a text."""
    text, column = places.lines[span.line - 1], span.column - 1
    inner = "{" in text[:column] or "[" in text[:column]
    end = _END_OF_VALUE.search(text, column + 1) if inner else None
    near = _quoted_value(text, column, end.start() if end else len(text))
    diagnostics.add(VALUE_NEEDS_QUOTES, span, suggestions=near, character=text[column])


def _is_glued_above(places: Places, line: int, diagnostics: Diagnostics) -> bool:
    """Report a colon without a space in the line above ``line``; return whether there is one."""
    above = next((n for n in range(line - 1, -1, -1) if places.lines[n].strip()), None)
    return above is not None and report_glued(places, above, diagnostics)


def _report_type(text: str, column: int, span: Span, diagnostics: Diagnostics) -> bool:
    """Report a type such as ``int[]`` without quotes in braces; return whether there is one."""
    name = _NAME_BEFORE.search(text, 0, column)
    behind = _MARKS_BEHIND.match(text, column)
    if name is None or behind is None or not behind[0]:
        return False
    start, end = name.start(), behind.end()
    written = text[start:end]
    item = behind[0].strip("[]?") or name[0]
    list_type = f"array<{item}>"
    diagnostics.add(
        TYPE_NEEDS_QUOTES,
        Span(span.file, span.line, start + 1, span.line, end + 1),
        suggestions=[f'"{written}"', *([list_type] if "[" in written else [])],
        text=written,
    )
    return True


def _is_unclosed(failure: YamlFailure, places: Places) -> bool:
    """Whether the text ends, or a document begins, before something is closed."""
    if failure.context_place is None:
        return False
    if "quoted scalar" in failure.context or "double-quoted" in failure.context:
        return "stream" in failure.problem or "document" in failure.problem
    if not _BRACKETS.search(failure.problem):
        return False
    line, column = failure.place
    rest = [
        text[column if not n else 0 :] for n, text in enumerate(places.lines[line:])
    ]
    return not any(map(str.strip, rest)) or places.lines[line].startswith(
        ("---", "...")
    )


def _opened(context: str) -> str:
    if "quoted" in context:
        return "quoted text"
    return "list" if "sequence" in context else "mapping"


def _context(failure: YamlFailure, places: Places) -> list[Note]:
    """Point at the start of the mapping or list in which the parser stopped."""
    place = failure.context_place
    if (
        place is None
        or place == failure.place
        or "while parsing" not in failure.context
    ):
        return []
    kind = "list" if re.search("sequence|collection", failure.context) else "mapping"
    return [Note(places.mark(*place), f"in the {kind} that begins here")]


def _reworded(problem: str) -> str:
    return next((words for phrase, words in _WORDS if phrase in problem), problem)

"""Explain YAML syntax errors: what is wrong, and how to repair it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from brimgen.diagnostics import Diagnostics, Note, Span
from brimgen.diagnostics.rules import (
    COLON_IN_VALUE,
    INDENTATION,
    MERGE_CONFLICT,
    MISSING_COLON,
    SPACE_AFTER_COLON,
    TAB_INDENT,
    TEXT_AFTER_QUOTES,
    TYPE_NEEDS_QUOTES,
    UNCLOSED,
    UNKNOWN_ESCAPE,
    UNPAIRED_SURROGATE,
    VALUE_NEEDS_QUOTES,
    YAML_SYNTAX,
)
from brimgen.source.events import YamlFailure
from brimgen.source.places import Places

_KEY = re.compile(r"[ \t]*(?:- +)*([A-Za-z_][\w-]*)")
_QUOTED = re.compile(r"""(?:^|[\s:,\[{-])(['"])[^'"]*(\1)[ \t]*\Z""")
_SHOWN = 20
_ITEM = re.compile(r" *(?:- +)+")
_CONFLICT = re.compile(r"(?:<{7}|\|{7}|={7}|>{7})(?: .*)?\s*\Z")
_KEY_ALONE = re.compile(r"[ \t]*(?:- +)*[\w-]+[ \t]*\Z")
_KEY_AND_COLON = re.compile(r"[ \t-]*[\w-]+:(?=\S)")
_BLOCK = re.compile(r"[ \t]*(?:- +)*([\w-]+): *[|>][-+0-9]*\s*\Z")
_OPENS = re.compile(r"(?:^|[^#]*\S)[ \t]*:[ \t]*(?:#.*)?\Z")


def report_conflict(
    failure: YamlFailure, places: Places, diagnostics: Diagnostics
) -> bool:
    """Report the first merge conflict marker above where the parser stopped; return whether there
    is one.

    A conflict that goes on in another document is reported once.
    """
    stop, lines = failure.place[0], places.lines
    begin = next((n for n in range(stop - 1, -1, -1) if lines[n][:3] == "---"), 0)
    until = min(stop + 1, len(lines))
    first = next((n for n in range(begin, until) if _CONFLICT.match(lines[n])), None)
    if first is None:
        return False
    text = lines[first].rstrip()
    if not text.startswith("<"):
        files = (
            diagnostic.span.file
            for diagnostic in diagnostics
            if diagnostic.rule is MERGE_CONFLICT
        )
        return places.file in files
    diagnostics.add(MERGE_CONFLICT, _span(places, first, 0, len(text)), mark=text)
    return True


def report_quotes(
    failure: YamlFailure, places: Places, diagnostics: Diagnostics
) -> bool:
    """Report a quote that ends a text too early, if the parser stopped behind one; return whether
    it did.
    """
    line, column = failure.place
    text = places.lines[line] if line < len(places.lines) else ""
    closed = _QUOTED.search(text[:column])
    if closed is None or "expected" not in failure.problem:
        return False
    rest = text[column:].split(" #")[0].strip()
    if not rest:
        return False
    at = closed.end(2)
    rest = rest if len(rest) <= _SHOWN else f"{rest[:_SHOWN]}…"
    diagnostics.add(TEXT_AFTER_QUOTES, _span(places, line, at - 1, at - 1), rest=rest)
    return True


def report_line(failure: YamlFailure, places: Places, diagnostics: Diagnostics) -> bool:
    """Report the missing colon or wrong indentation that the parser stopped for; return whether it
    did.
    """
    problem = failure.problem
    if "could not find expected ':'" in problem and failure.context_place:
        return _report_colon(failure.context_place[0], places, diagnostics)
    if "mapping values are not allowed" in problem:
        return _report_second(failure.place, places, diagnostics)
    if "block" in failure.context and (
        "expected key" in problem
        or "<block end>" in problem
        or "'-' indicator" in problem
    ):
        return _report_indent(failure.place, places, diagnostics)
    return False


def _report_colon(line: int, places: Places, diagnostics: Diagnostics) -> bool:
    key = _KEY.match(places.lines[line])
    if report_glued(places, line, diagnostics):
        return True
    if key is None or ":" in places.lines[line]:
        return False
    above = next(_above(places.lines, line), None)
    block = None if above is None else _BLOCK.match(places.lines[above])
    if block is not None:
        why = f"the text of `{block[1]}` begins here, and stands no deeper than its key"
        diagnostics.add(INDENTATION, _span(places, line, *key.span(1)), why=why)
        return True
    diagnostics.add(MISSING_COLON, _span(places, line, *key.span(1)), key=key[1])
    return True


def report_glued(places: Places, line: int, diagnostics: Diagnostics) -> bool:
    """Report a value without a space behind the key of a line; return whether there is one."""
    text = places.lines[line]
    colon = _KEY_AND_COLON.match(text)
    if colon is None:
        return False
    end = colon.end()
    span = Span(places.file, line + 1, end, line + 1, end + 1)
    corrected = f"{text[:end].lstrip(' -')} {text[end:].rstrip()}"
    diagnostics.add(SPACE_AFTER_COLON, span, suggestions=(corrected,))
    return True


def _report_second(
    place: tuple[int, int], places: Places, diagnostics: Diagnostics
) -> bool:
    """A key where the text above it goes on: that lacks its colon, or has its value already."""
    line, column = place
    text = places.lines[line]
    above = next(_above(places.lines, line), None)
    if above is None:
        return False
    if ":" not in places.lines[above] and _opens_above(places.lines, above):
        return _report_colon(above, places, diagnostics)
    key, first = _KEY.match(text), _KEY.match(places.lines[above])
    if key is None or first is None:
        return False
    if not _KEY_ALONE.match(text[:column]) or ": " not in places.lines[above]:
        diagnostics.add(COLON_IN_VALUE, places.mark(line, column))
        return True
    why = f"`{key[1]}` stands deeper than `{first[1]}`, whose value is in its own line"
    diagnostics.add(INDENTATION, _span(places, line, *key.span(1)), why=why)
    return True


def _opens_above(lines: Sequence[str], line: int) -> bool:
    """Whether a line begins what the key above it holds, and is no more of a text."""
    depth = _depth(lines[line])
    outer = next((n for n in _above(lines, line) if _depth(lines[n]) < depth), None)
    return outer is None or _OPENS.match(lines[outer]) is not None


def _report_indent(
    place: tuple[int, int], places: Places, diagnostics: Diagnostics
) -> bool:
    line, column = place
    depths: list[int] = []
    for above in _above(places.lines, line):
        for depth in _depths(places.lines[above]):
            if not depths or depth < depths[-1]:
                depths.append(depth)
    if _depth(places.lines[line]) != column or column in depths or not depths:
        return False
    *most, last = map(str, depths)
    listed = f"{', '.join(most)} and {last}" if most else last
    spaces = "1 space" if column == 1 else f"{column} spaces"
    why = f"this line is indented by {spaces}, those above it by {listed}"
    diagnostics.add(INDENTATION, _span(places, line, 0, column), why=why)
    return True


def _above(lines: Sequence[str], line: int) -> Iterator[int]:
    """The lines above one that say anything in its document, from below."""
    for number in range(line - 1, -1, -1):
        text = lines[number].strip()
        if text == "---":
            return
        if text and not text.startswith("#"):
            yield number


def _depths(text: str) -> tuple[int, ...]:
    """Where a key of a line stands, and the dash of the item that it begins."""
    dashed = _ITEM.match(text)
    return (dashed.end(), _depth(text)) if dashed else (_depth(text),)


def _depth(text: str) -> int:
    return len(text) - len(text.lstrip(" "))


def _span(places: Places, line: int, start: int, end: int) -> Span:
    return Span(places.file, line + 1, start + 1, line + 1, max(end, start + 1) + 1)


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

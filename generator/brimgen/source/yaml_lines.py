"""Find out whether a colon or the indentation causes a YAML syntax error."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from brimgen.diagnostics import Diagnostics, Span
from brimgen.diagnostics.rules import (
    COLON_IN_VALUE,
    INDENTATION,
    MERGE_CONFLICT,
    MISSING_COLON,
    SPACE_AFTER_COLON,
    TEXT_AFTER_QUOTES,
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

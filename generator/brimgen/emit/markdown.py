"""Escape text as Markdown that shows this very text and has no other effect.

Written for CommonMark and GitHub's tables. Whatever could begin a construct is escaped; angle
brackets and ampersands become entities, so that no reader takes them for HTML.
"""

from __future__ import annotations

import re

from brimgen.emit.code import Code

_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_SPECIAL = re.compile(r"[\\`*_\[\]|~$&<>#]")
_LINE_START = re.compile(r"[-+=:]")
_NUMBERED = re.compile(r"(\d{1,9})([.)])")
_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]"
)


def paragraphs(text: str) -> Code:
    """Write a text with its paragraphs and line ends, and without any markup of its own."""
    blocks = re.split(r"\n\s*\n", _clean(text).strip())
    return Code("\n\n".join(_lines(block, "\n") for block in blocks))


def cell(text: str) -> Code:
    """Write a text in a cell of a table: on one line, its line ends shown as such."""
    return _lines(_clean(text).strip(), "<br>")


def line(text: str) -> Code:
    """Write a text on one line, as in a heading."""
    return _lines(" ".join(_clean(text).split()), " ")


def code(text: str) -> Code:
    """Write a text as a code span on one line; it also fits into a cell of a table."""
    shown = " ".join(_clean(text).split("\n")).replace("|", "\\|")
    if not shown.strip():
        return Code("")
    fence = "`" * (_longest_run(shown) + 1)
    pad = " " if shown[0] in "` " or shown[-1] in "` " else ""
    return Code(f"{fence}{pad}{shown}{pad}{fence}")


def without_controls(text: str) -> Code:
    """Write a text for a block of code: control characters are shown as such."""
    return Code(_clean(text))


def fence(text: str) -> Code:
    """Return the fence of a block of code that holds ``text``."""
    return Code("`" * max(3, _longest_run(text) + 1))


def comment(text: Code) -> Code:
    """Write lines that are not shown, one comment per line; none of them may hold ``-->``."""
    return Code("".join(f"<!-- {line} -->\n" for line in text.splitlines()))


def _clean(text: str) -> str:
    """Write line ends as ``\\n``, tabs as spaces, and marks for invisible characters."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
    return _UNSEEN.sub("\ufffd", plain)


def _lines(text: str, end: str) -> Code:
    return Code(end.join(_line(part.strip()) for part in text.split("\n")))


def _line(text: str) -> str:
    start = ""
    number = _NUMBERED.match(text)
    if number:
        start, text = f"{number[1]}\\{number[2]}", text[number.end() :]
    elif _LINE_START.match(text):
        start, text = f"\\{text[0]}", text[1:]
    return start + _SPECIAL.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    return _ENTITIES.get(match[0], f"\\{match[0]}")


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall(r"`+", text)), default=0)

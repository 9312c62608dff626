"""Explain Jinja's errors in a template that it cannot read.

Jinja names its own tokens (`end of print statement`), counts characters of the whole text, and
tells that a block is not closed where the text ends. Here the words are those that stand in the
template, and the place is the one to mend.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from brimgen.diagnostics import did_you_mean
from brimgen.frozen import dataclass

_CLOSING = {"end of print statement": "}}", "end of statement block": "%}"}
_CLOSED_BY = {"{{": "}}", "{%": "%}"}
_BLOCKS = ("if", "for", "macro", "call", "filter", "set", "block", "with", "autoescape")
_TAGS = (*_BLOCKS, *(f"end{block}" for block in _BLOCKS), "else", "elif", "raw")
_TAG = re.compile(r"\{#.*?#\}|\{\{.*?\}\}|\{%[-+]?\s*(\w+)(.*?)%\}", re.DOTALL)
_TOKEN = re.compile(r"\w+|'[^'\n]*'|\"[^\"\n]*\"|\}\}|[-+]?%\}|\|\||&&|\S")
_FOREIGN_OPERATORS = {
    "||": "or",
    "&": "and",
    "&&": "and",
    "!": "not",
    "=": "==",
    "?": "a if … else b",
}
"""Operators of other languages, and what Jinja calls them."""

_UNCLOSED = re.compile(
    r"Unexpected end of template.*innermost block .* is '(\w+)'", re.DOTALL
)
_UNKNOWN_TAG = re.compile(
    r"Encountered unknown tag '(\w+)'(?:.* is '(\w+)')?", re.DOTALL
)
_ENDS_IN_TAG = re.compile(r"unexpected end of template, expected '(.+)'")
_OTHER_TOKEN = re.compile(r"expected token '(.+?)', got '(?:.+)'", re.DOTALL)
_NO_EXPRESSION = re.compile(r"(?:unexpected|Expected an expression, got) '(end of .+)'")
_WRONG_BRACKET = re.compile(r"unexpected '([\])}])', expected '([\])}])'")
_BAD_CHARACTER = re.compile(r"unexpected char .+ at \d+", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Fault:
    """``reason`` in words, the range of the text that it is about, and what was meant.

    ``opened`` is the range of the tag that is still open there, if that is why.
    """

    reason: str
    start: int
    end: int
    suggestions: tuple[str, ...] = ()
    opened: tuple[int, int] | None = None


def explain_error(text: str, message: str, offset: int) -> Fault:
    """Return the fault behind a ``message`` of Jinja, which has read ``text`` up to ``offset``."""
    start = min(offset, len(text.rstrip()) - 1)
    for explain in (_block_fault, _tag_fault, _token_fault):
        fault = explain(text, message, start)
        if fault is not None:
            return fault
    words = message[:1].lower() + message[1:].rstrip(".")
    for jinja, ours in _CLOSING.items():
        words = words.replace(f"'{jinja}'", f"`{ours}`")
    return Fault(words, start, _line_end(text, start))


def _block_fault(text: str, message: str, offset: int) -> Fault | None:
    """Explain an unclosed block, comment or raw text, and an end without a beginning."""
    if match := _UNCLOSED.search(message):
        return _unclosed(text, match[1], offset)
    if message.startswith("Missing end of comment"):
        start = text.rfind("{#", 0, offset + 2)
        reason = "`{#` is not closed: `#}` is missing"
        return Fault(reason, start, _line_end(text, start))
    if message.startswith("Missing end of raw"):
        start = text.rfind("{%", 0, offset + 1)
        reason = "`{% raw %}` is not closed: `{% endraw %}` is missing"
        return Fault(reason, start, _line_end(text, start))
    match = _UNKNOWN_TAG.search(message)
    return _unknown_tag(text, match[1], match[2], offset) if match else None


def _unclosed(text: str, block: str, offset: int) -> Fault:
    reason = f"`{{% {block} %}}` is not closed: `{{% end{block} %}}` is missing"
    start, end = _innermost(text, block, len(text)) or (offset, _line_end(text, offset))
    return Fault(reason, start, end)


def _unknown_tag(text: str, word: str, block: str | None, offset: int) -> Fault:
    end = offset + len(word)
    if block is not None and (word.startswith("end") or word in ("else", "elif")):
        reason = f"`{{% {word} %}}` stands where `{{% {block} %}}` is still open"
        opened = _innermost(text, block, offset)
        return Fault(reason, offset, end, (f"end{block}",), opened)
    if word in _TAGS:
        block = word.removeprefix("end")
        of = "if" if word in ("else", "elif") else block
        reason = f"`{{% {word} %}}` stands where no `{{% {of} %}}` is open"
        return Fault(reason, offset, end)
    near = did_you_mean(word, _TAGS)
    return Fault(f"there is no tag `{word}`", offset, end, near)


def _tag_fault(text: str, message: str, offset: int) -> Fault | None:
    """Explain a ``{{`` or ``{%`` without its end, or with a wrong one."""
    match = _OTHER_TOKEN.search(message)
    is_cut = match is not None and match[1] in _CLOSING and _begins_line(text, offset)
    if is_cut or _ENDS_IN_TAG.search(message):
        start = max(text.rfind(mark, 0, offset + 1) for mark in _CLOSED_BY)
        opening = text[start : start + 2]
        reason = f"`{opening}` is not closed: `{_CLOSED_BY[opening]}` is missing"
        return Fault(reason, start, _line_end(text, start))
    if message.startswith("unexpected '}'") and text[offset : offset + 2] != "}}":
        reason = "`{{` ends with `}}`, not with `}`"
        return Fault(reason, offset, offset + 1, ("}}",))
    if match := _WRONG_BRACKET.search(message):
        token = _token(text, offset)
        reason = f"`{match[2]}` is missing before `{token}`"
        return Fault(reason, offset, offset + len(token))
    return None


def _token_fault(text: str, message: str, offset: int) -> Fault | None:
    """Explain a word or a mark at a wrong place."""
    token = _token(text, offset)
    end = offset + len(token)
    if _BAD_CHARACTER.fullmatch(message):
        if token[0] in "'\"" and len(token) < 2:
            reason = f"the text that {token} begins does not end"
            return Fault(reason, offset, _line_end(text, offset))
        return Fault(
            f"`{token}` means nothing here", offset, end, _jinja_operator(token)
        )
    if match := _NO_EXPRESSION.search(message):
        reason = f"something is missing before `{_CLOSING.get(match[1], token)}`"
        return Fault(reason, offset, end)
    if message == "expected name or number":
        return Fault(f"a name is missing before `{token}`", offset, end)
    match = _OTHER_TOKEN.search(message)
    if match is None:
        return None
    if token == "|" and text[offset - 1 : offset] == "|":
        return Fault("`||` means nothing here", offset - 1, end, ("or",))
    expected = _CLOSING.get(match[1], match[1])
    if expected == "name":
        return Fault(f"a name is missing before `{token}`", offset, end)
    if token == "if" and text[:offset].rstrip().endswith("else"):
        start = text.rfind("else", 0, offset)
        return Fault("`else if` is one word here", start, end, ("elif",))
    reason = f"`{expected}` is expected before `{token}`"
    return Fault(reason, offset, end, _jinja_operator(token))


def _jinja_operator(token: str) -> tuple[str, ...]:
    return (_FOREIGN_OPERATORS[token],) if token in _FOREIGN_OPERATORS else ()


def _token(text: str, offset: int) -> str:
    """Return the token at ``offset``."""
    match = _TOKEN.match(text, offset)
    return match[0] if match else text[offset : offset + 1]


def _line_end(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    return len(text) if end < 0 else end


def _begins_line(text: str, offset: int) -> bool:
    return not text[text.rfind("\n", 0, offset) + 1 : offset].strip()


def _innermost(text: str, block: str, limit: int) -> tuple[int, int] | None:
    """The range of the last tag before ``limit`` that begins a ``block`` and is not closed."""
    opened: list[tuple[str, int, int]] = []
    for word, start, end in _blocks(text):
        if end > limit:
            break
        if not word.startswith("end"):
            opened.append((word, start, end))
        elif opened and opened[-1][0] == word.removeprefix("end"):
            opened.pop()
    ours = [(start, end) for word, start, end in opened if word == block]
    return ours[-1] if ours else None


def _blocks(text: str) -> Iterator[tuple[str, int, int]]:
    """The tags that begin or end a block, with their ranges; one with `=` sets a name at once."""
    end_of_raw = 0
    for match in _TAG.finditer(text):
        word = match[1]
        if word is None or match.start() < end_of_raw:
            continue
        if word == "raw":
            endraw = re.search(r"\{%[-+]?\s*endraw", text[match.end() :])
            end_of_raw = match.end() + endraw.end() if endraw else len(text)
        elif word.removeprefix("end") in _BLOCKS and not (
            word == "set" and "=" in match[2]
        ):
            yield word, match.start(), match.end()

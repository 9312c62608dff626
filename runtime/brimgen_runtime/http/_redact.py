"""Remove secrets from a text, however they are encoded in it."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape as escape_html
from typing import Final
from urllib.parse import quote, quote_plus

from ..schema.errors import REDACTED, Violation, escape
from ._outcome import HttpError

MARK: Final = "***"
_SHORTEST_PIECE: Final = 6
_SHORTEST_ANYWHERE: Final = 4


@dataclass(frozen=True, slots=True, repr=False)
class Forms:
    """The secrets of a call in their usual encodings.

    ``texts``, the longest first, are removed wherever they occur. Shorter ones are parts of many
    words, so ``readable`` finds them only where they stand alone; ``anywhere`` finds all.
    """

    texts: tuple[str, ...]
    anywhere: re.Pattern[str]
    readable: re.Pattern[str]

    def are_in(self, text: str) -> bool:
        """Return whether a text has a secret, be it a letter of a word."""
        return self.anywhere.search(text) is not None

    def cleaned(self, text: str, *, is_cut: bool = False) -> str:
        """Return a text without secrets, and where it is cut, without the beginning of one."""
        clean = self.readable.sub(MARK, text)
        return clean[: len(clean) - self._begun(clean)] if is_cut else clean

    def _begun(self, text: str) -> int:
        """Return how many characters at the end of a text may begin a secret."""
        folded = [form.casefold() for form in self.texts]
        longest = len(self.texts[0]) if self.texts else 1
        for size in range(min(longest - 1, len(text)), 0, -1):
            end = text[-size:].casefold()
            if any(form.startswith(end) for form in folded):
                return size
        return 0


def forms(values: Iterable[str]) -> Forms | None:
    """Return what finds the values and their usual encodings; None where there is no value."""
    encodings: set[str] = set()
    for value in filter(None, values):
        plain = value.encode("utf-8", "surrogatepass")
        encodings |= {
            value,
            quote(plain, safe=""),
            quote(plain),
            quote_plus(plain),
            escape(value)[1:],
            json.dumps(value)[1:-1],
            json.dumps(value)[1:-1].replace("/", r"\/"),
            json.dumps(value, ensure_ascii=False)[1:-1],
            escape_html(value),
            escape_html(value, quote=False),
            plain.hex(),
            b64encode(plain).decode("ascii").rstrip("="),
            *_pieces(plain),
        }
    ordered = tuple(sorted(encodings, key=lambda form: (-len(form), form)))
    if not ordered:
        return None
    long = tuple(form for form in ordered if len(form) >= _SHORTEST_ANYWHERE)
    anywhere = re.compile("|".join(map(re.escape, ordered)), re.IGNORECASE)
    return Forms(long, anywhere, _readable(long, ordered[len(long) :]))


def _readable(long: Sequence[str], short: Sequence[str]) -> re.Pattern[str]:
    """Return what finds long forms anywhere, and short ones as they are, where they stand alone."""
    parts = [*map(re.escape, long)]
    if short:
        alone = "|".join(map(re.escape, short))
        parts.append(f"(?-i:(?<![0-9A-Za-z])(?:{alone})(?![0-9A-Za-z]))")
    return re.compile("|".join(parts), re.IGNORECASE)


def _pieces(plain: bytes) -> Iterator[str]:
    """Yield what is sure to stand in the base64 of any text with the bytes: ``user:password``."""
    for before, first in ((0, 0), (1, 2), (2, 3)):
        end = (before + len(plain)) * 8 // 6
        piece = b64encode(bytes(before) + plain)[first:end].decode("ascii")
        if len(piece) >= _SHORTEST_PIECE:
            yield piece
            yield piece.replace("+", "-").replace("/", "_")


def redacted(error: HttpError, forms: Forms | None) -> HttpError:
    """Return an error in which no secret can be read."""
    if forms is None:
        return error
    clean = forms.cleaned
    violations = tuple(
        Violation(
            clean(violation.pointer),
            violation.rule,
            clean(violation.expected),
            REDACTED,
            clean(violation.message),
        )
        for violation in error.violations
    )
    detail = None if error.detail is None else clean(error.detail)
    body = error.body
    if body is not None:
        body = replace(
            body,
            text=clean(body.text, is_cut=body.is_cut),
            media_type=body.media_type and clean(body.media_type),
        )
    return replace(
        error,
        message=clean(error.message),
        violations=violations,
        detail=detail,
        body=body,
    )

"""Show how the body of an unusable response begins, as text that is safe to print.

The service controls the body: control characters, bidirectional marks and hidden characters are
escaped.
"""

from __future__ import annotations

import codecs
import re
from typing import Final

from ._outcome import Excerpt
from ._transport import Answer

_CHARSETS = frozenset({"ascii", "utf-8", "iso8859-1", "cp1252", "utf-16", "utf-8-sig"})
_MEDIA_TYPE = re.compile(r"[a-z0-9!#$&^_.+-]{1,60}/[a-z0-9!#$&^_.+-]{1,60}", re.ASCII)
_TEXTUAL = re.compile(
    r"text/.*|.*\+(?:json|xml|text)"
    r"|application/(?:json|xml|javascript|graphql|x-www-form-urlencoded|x-ndjson|yaml)"
)
_UNSEEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\U000e0000-\U000e0fff]"
)


def declared(answer: Answer) -> tuple[str | None, str | None]:
    """Return the media type of an answer, None if it names no valid one, and the character set of
    its text, None if it is not among those that are read here.
    """
    from email.message import Message

    content_type = answer.header("content-type")
    message = Message()
    message["content-type"] = content_type or "text/plain"
    kind = message.get_content_type()
    try:
        name = codecs.lookup(message.get_content_charset("utf-8")).name
    except (LookupError, ValueError):
        name = ""
    is_sound = content_type and _MEDIA_TYPE.fullmatch(kind)
    return kind if is_sound else None, name if name in _CHARSETS else None


def is_compressed(answer: Answer) -> bool:
    """Return whether the body of an answer is compressed."""
    coding = (answer.header("content-encoding") or "identity").strip().lower()
    return coding not in ("", "identity")


def excerpt(answer: Answer, limit: int) -> Excerpt | None:
    """Return how the body of an answer begins, ``limit`` bytes of it; None where it has none."""
    if not answer.body or limit <= 0:
        return None
    kind, charset = declared(answer)
    body = answer.body[:limit]
    is_cut = answer.is_cut or len(body) < len(answer.body)
    is_text = _TEXTUAL.fullmatch(kind) if kind else b"\0" not in body
    if not is_text or is_compressed(answer):
        return Excerpt("", kind, is_cut=True)
    decoder = codecs.getincrementaldecoder(charset or "utf-8")("replace")
    text = decoder.decode(body, final=not is_cut).replace("\r\n", "\n")
    return Excerpt(_UNSEEN.sub("\ufffd", text), kind, is_cut)

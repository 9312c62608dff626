"""Check network formats: addresses, host names and URIs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

_LABEL = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\Z")
_LOCAL = re.compile(
    r"(?:[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r'|"(?:[ !#-\[\]-~]|\\[ -~])*")\Z'
)
_IDN_LOCAL = re.compile(
    r"(?:[A-Za-z0-9!#$%&'*+/=?^_`{|}~\x80-\U0010ffff-]+"
    r"(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~\x80-\U0010ffff-]+)*"
    r'|"(?:[ !#-\[\]-~\x80-\U0010ffff]|\\[ -~])*")\Z'
)
_BYTE = r"(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_IPV4 = re.compile(rf"{_BYTE}(?:\.{_BYTE}){{3}}\Z")
_GROUP = re.compile(r"[0-9A-Fa-f]{1,4}\Z")
_LONGEST_IPV6 = len("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255")
_DOTS = re.compile("[.\u3002\uff0e\uff61]")

_CHAR = r"A-Za-z0-9\-._~!$&'()*+,;=:@"
_ESCAPED = "%[0-9A-Fa-f]{2}"
_WIDE = (
    "\xa0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef\U00010000-\U0001fffd\U00020000-\U0002fffd"
    "\U00030000-\U0003fffd\U00040000-\U0004fffd\U00050000-\U0005fffd\U00060000-\U0006fffd"
    "\U00070000-\U0007fffd\U00080000-\U0008fffd\U00090000-\U0009fffd\U000a0000-\U000afffd"
    "\U000b0000-\U000bfffd\U000c0000-\U000cfffd\U000d0000-\U000dfffd\U000e1000-\U000efffd"
)
_PRIVATE = "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"


@cache
def _reference(wide: str, private: str) -> re.Pattern[str]:
    """Return the pattern of a URI reference (RFC 3986, with ``wide`` characters RFC 3987)."""
    # No repetition gives back what it took: what follows each of them is not of its characters.
    path = rf"(?:[{_CHAR}/{wide}]++|{_ESCAPED})*+"
    user = rf"(?:(?:[A-Za-z0-9\-._~!$&'()*+,;=:{wide}]++|{_ESCAPED})*+@)?"
    name = rf"(?:[A-Za-z0-9\-._~!$&'()*+,;={wide}]++|{_ESCAPED})*+"
    host = rf"(?:\[(?P<literal>[^\]\[]*+)\]|{name})"
    return re.compile(
        r"(?:(?P<scheme>[A-Za-z][A-Za-z0-9+.\-]*+):)?"
        rf"(?://(?P<authority>{user}{host}(?::[0-9]*+)?)(?=[/?#]|\Z))?"
        rf"(?P<path>{path})"
        rf"(?:\?(?:[{_CHAR}/?{wide}{private}]++|{_ESCAPED})*+)?"
        rf"(?:\#(?:[{_CHAR}/?{wide}]++|{_ESCAPED})*+)?\Z"
    )


_FUTURE = re.compile(r"[vV][0-9A-Fa-f]+\.[A-Za-z0-9\-._~!$&'()*+,;=:]+\Z")
_TEMPLATE = re.compile(
    rf"(?:[^\x00-\x20\"%<>\\^`{{|}}\x7f]++|{_ESCAPED}"
    r"|\{[+#./;?&=,!@|]?(?:{V}(?:,{V})*+)\})*+\Z".replace(
        "{V}",
        r"(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*+"
        r"(?::[1-9][0-9]{0,3}|\*)?",
    )
)


def is_ipv4(text: str) -> bool:
    """Return whether a text is a dotted quad without leading zeros."""
    return _IPV4.match(text) is not None


def is_ipv6(text: str) -> bool:
    """Return whether a text is an IPv6 address (RFC 4291), without a zone."""
    if len(text) > _LONGEST_IPV6:
        return False
    head, gap, tail = text.partition("::")
    if "::" in tail or not (head or gap):
        return False
    first = head.split(":") if head else []
    last = tail.split(":") if tail else []
    groups = first + last
    size = len(groups)
    if groups and "." in groups[-1] and (last or not gap):
        if not is_ipv4(groups[-1]):
            return False
        groups.pop()
        size += 1
    if not all(_GROUP.match(group) for group in groups):
        return False
    return size <= 7 if gap else size == 8


def is_hostname(text: str) -> bool:
    """Return whether a text is a host name of ASCII labels (RFC 1123; RFC 5890 for ``xn--``)."""
    return _is_domain(text) and all(
        label[2:4] != "--" or _is_sound_a_label(label) for label in text.split(".")
    )


def _is_domain(text: str) -> bool:
    """Return whether a text is a domain of RFC 5321, where a label may be like ``ab--cd``."""
    return len(text) <= 253 and all(map(_LABEL.match, text.split(".")))


def is_idn_hostname(text: str) -> bool:
    """Return whether a text is a host name of Unicode labels (RFC 5890)."""
    if len(text) > 253:
        return False
    labels = _DOTS.split(text)
    if sum(map(len, labels)) + len(labels) - 1 > 253:
        return False
    right_to_left = not all(label.isascii() for label in labels)
    return all(
        is_hostname(label) if label.isascii() else _is_u_label(label)
        for label in labels
    ) and not (right_to_left and _breaks_bidi(labels))


def is_email(text: str) -> bool:
    """Return whether a text is a mailbox of RFC 5321."""
    local, at, domain = text.rpartition("@")
    if not at or len(local) > 64 or _LOCAL.match(local) is None:
        return False
    return _is_literal(domain) or _is_domain(domain)


def is_idn_email(text: str) -> bool:
    """Return whether a text is a mailbox of RFC 6531."""
    local, at, domain = text.rpartition("@")
    if not at or len(local) > 64 or _IDN_LOCAL.match(local) is None:
        return False
    return _is_literal(domain) or _is_domain(domain) or is_idn_hostname(_mapped(domain))


def _mapped(domain: str) -> str:
    """Return a domain as it is looked up (RFC 5895, 2): lower case, usual width, NFC."""
    usual = (
        (
            unicodedata.normalize("NFKC", char)
            if unicodedata.east_asian_width(char) in "FH"
            else char
        )
        for char in domain[:254].lower()
    )
    return unicodedata.normalize("NFC", "".join(usual))


def _is_literal(domain: str) -> bool:
    if not (domain.startswith("[") and domain.endswith("]")):
        return False
    inner = domain[1:-1]
    if inner[:5].lower() == "ipv6:":
        return is_ipv6(inner[5:])
    return is_ipv4(inner)


def _is_reference(pattern: re.Pattern[str], text: str, absolute: bool) -> bool:
    match = pattern.match(text)
    if match is None or (absolute and match["scheme"] is None):
        return False
    literal = match["literal"]
    if literal is not None and not (is_ipv6(literal) or _FUTURE.match(literal)):
        return False
    if match["authority"] is None:
        if match["path"].startswith("//"):
            return False
        first = match["path"].partition("/")[0]
        return match["scheme"] is not None or ":" not in first
    return match["path"] == "" or match["path"].startswith("/")


def is_uri(text: str) -> bool:
    """Return whether a text is a URI with a scheme (RFC 3986)."""
    return _is_reference(_reference("", ""), text, absolute=True)


def is_uri_reference(text: str) -> bool:
    """Return whether a text is a URI or a relative reference (RFC 3986)."""
    return _is_reference(_reference("", ""), text, absolute=False)


def is_iri(text: str) -> bool:
    """Return whether a text is an IRI with a scheme (RFC 3987)."""
    return _is_reference(_reference(_WIDE, _PRIVATE), text, absolute=True)


def is_iri_reference(text: str) -> bool:
    """Return whether a text is an IRI or a relative reference (RFC 3987)."""
    return _is_reference(_reference(_WIDE, _PRIVATE), text, absolute=False)


def is_uri_template(text: str) -> bool:
    """Return whether a text is a URI template (RFC 6570, and its erratum 6937 for ``'``)."""
    return _TEMPLATE.match(text) is not None


# Labels of international host names (IDNA2008: RFC 5891 to 5893). The standard library knows
# neither scripts nor joining types: scripts are derived from the names of characters, and a zero
# width non-joiner is allowed between Arabic-like letters.
_VALID = frozenset("\xdf\u03c2\u06fd\u06fe\u0f0b\u3007")
_INVALID = frozenset("\u0640\u07fa\u302e\u302f\u3031\u3032\u3033\u3034\u3035\u303b")
_CONTEXT = frozenset("\xb7\u0375\u05f3\u05f4\u30fb\u200c\u200d")
_LETTERS = frozenset(("Ll", "Lu", "Lo", "Nd", "Lm", "Mn", "Mc"))
_ARABIC = frozenset(map(chr, range(0x660, 0x66A)))
_PERSIAN = frozenset(map(chr, range(0x6F0, 0x6FA)))


def _is_sound_a_label(label: str) -> bool:
    """Return whether a label with ``--`` in third place is an ``xn--`` label that decodes."""
    if not label.isascii() or label[:4].lower() != "xn--":
        return False
    try:
        decoded = label[4:].encode("ascii").decode("punycode")
    except (UnicodeError, ValueError, OverflowError):
        return False
    if decoded.isascii() or not _is_u_label(decoded) or _breaks_bidi([decoded]):
        return False
    return decoded.encode("punycode").decode("ascii").lower() == label[4:].lower()


def _is_u_label(label: str) -> bool:
    """Return whether a label with characters beyond ASCII is legal (RFC 5891, 4.2)."""
    if not label or label != unicodedata.normalize("NFC", label):
        return False
    if label[0] == "-" or label[-1] == "-" or label[2:4] == "--":
        return False
    if unicodedata.category(label[0])[0] == "M":
        return False
    try:
        size = len(label.encode("punycode")) + 4
    except UnicodeError:
        return False
    return size <= 63 and all(
        _in_context(label, at) if char in _CONTEXT else _is_legal(label, char)
        for at, char in enumerate(label)
    )


def _is_legal(label: str, char: str) -> bool:
    """Return whether a character is legal by itself (RFC 5892, 3)."""
    if char in _ARABIC:
        return not _PERSIAN & set(label)
    if char in _PERSIAN:
        return not _ARABIC & set(label)
    if char in _VALID:
        return True
    if char in _INVALID or 0x1100 <= ord(char) <= 0x11FF:
        return False
    if char.isascii():
        return char == "-" or char.isdigit() or char.islower() or char.isupper()
    folded = unicodedata.normalize(
        "NFKC", unicodedata.normalize("NFKC", char).casefold()
    )
    return folded == char and unicodedata.category(char) in _LETTERS


def _in_context(label: str, at: int) -> bool:
    """Return whether a character that depends on its neighbours is legal (RFC 5892, A)."""
    char = label[at]
    before = label[at - 1] if at else ""
    after = label[at + 1 : at + 2]
    if char == "\xb7":
        return before == "l" and after == "l"
    if char == "\u0375":
        return _script(after).startswith("GREEK")
    if char in "\u05f3\u05f4":
        return _script(before).startswith("HEBREW")
    if char == "\u30fb":
        return any(
            _script(letter).startswith(("HIRAGANA", "KATAKANA LETTER", "CJK"))
            for letter in label
        )
    if before and unicodedata.combining(before) == 9:
        return True
    joins = bool(before and after) and all(
        unicodedata.bidirectional(neighbour) == "AL" for neighbour in (before, after)
    )
    return char == "\u200c" and joins


def _script(char: str) -> str:
    return unicodedata.name(char, "") if char else ""


def _breaks_bidi(labels: list[str]) -> bool:
    """Return whether labels of a name, one of which is right-to-left, break RFC 5893."""
    kinds = [[unicodedata.bidirectional(char) for char in label] for label in labels]
    if not any(kind in ("R", "AL", "AN") for label in kinds for kind in label):
        return False
    return not all(map(_is_sound_bidi, kinds))


def _is_sound_bidi(kinds: list[str]) -> bool:
    end = [kind for kind in kinds if kind != "NSM"][-1:]
    neutral = {"ES", "CS", "ET", "ON", "BN", "NSM", "EN"}
    if kinds[:1] == ["L"]:
        return set(kinds) <= neutral | {"L"} and end in (["L"], ["EN"])
    if kinds[:1] not in (["R"], ["AL"]):
        return False
    if "EN" in kinds and "AN" in kinds:
        return False
    legal = neutral | {"R", "AL", "AN"}
    return set(kinds) <= legal and end in (["R"], ["AL"], ["EN"], ["AN"])


TESTS: Final[Mapping[str, Callable[[str], bool]]] = {
    "email": is_email,
    "hostname": is_hostname,
    "idn-email": is_idn_email,
    "idn-hostname": is_idn_hostname,
    "ipv4": is_ipv4,
    "ipv6": is_ipv6,
    "iri": is_iri,
    "iri-reference": is_iri_reference,
    "uri": is_uri,
    "uri-reference": is_uri_reference,
    "uri-template": is_uri_template,
}
"""The formats that this module tests."""

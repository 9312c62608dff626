"""Check the formats of strings. A format that is not listed here is an annotation."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Final

from .times import to_date, to_datetime
from .uuids import is_uuid

_DURATION = (
    r"P(?:[0-9]+W|(?=[0-9T])(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)?"
    r"(?:T(?=[0-9])(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)?)?)\Z"
)
_POINTER = r"(?s)(?:/(?:[^~/]++|~[01])*+)*+\Z"
_RELATIVE = r"(?s)(?:0|[1-9][0-9]*+)(?:#|(?:/(?:[^~/]++|~[01])*+)*+)\Z"


def is_date(text: str) -> bool:
    """Return whether a text is an RFC 3339 full-date."""
    if len(text) != 10:
        return False
    try:
        to_date(text)
    except ValueError:
        return False
    return True


def is_datetime(text: str) -> bool:
    """Return whether a text is an RFC 3339 date-time; exactly what `to_datetime` reads."""
    if len(text) < 20:
        return False
    try:
        to_datetime(text)
    except ValueError:
        return False
    return True


def is_local_datetime(text: str) -> bool:
    """Return whether `to_datetime` reads a text that may lack its offset (``tz: assume-utc``)."""
    try:
        to_datetime(text, assume_utc=True)
    except ValueError:
        return False
    return True


def is_time(text: str) -> bool:
    """Return whether a text is an RFC 3339 full-time, with offset."""
    return len(text) >= 9 and is_datetime(f"2000-01-01T{text}")


def is_duration(text: str) -> bool:
    """Return whether a text is a duration of RFC 3339, appendix A."""
    return re.match(_DURATION, text) is not None


def is_pointer(text: str) -> bool:
    """Return whether a text is a JSON Pointer."""
    return re.match(_POINTER, text) is not None


def is_relative_pointer(text: str) -> bool:
    """Return whether a text is a relative JSON Pointer."""
    return re.match(_RELATIVE, text) is not None


FORMATS: Final[Mapping[str, Callable[[str], bool]]] = {
    "date": is_date,
    "date-time": is_datetime,
    "duration": is_duration,
    "json-pointer": is_pointer,
    "relative-json-pointer": is_relative_pointer,
    "time": is_time,
    "uuid": is_uuid,
}
"""What is asserted, besides what takes time to load."""

_LATER: Final[Mapping[str, tuple[str, str]]] = {
    "email": (".net_formats", "is_email"),
    "hostname": (".net_formats", "is_hostname"),
    "idn-email": (".net_formats", "is_idn_email"),
    "idn-hostname": (".net_formats", "is_idn_hostname"),
    "ipv4": (".net_formats", "is_ipv4"),
    "ipv6": (".net_formats", "is_ipv6"),
    "iri": (".net_formats", "is_iri"),
    "iri-reference": (".net_formats", "is_iri_reference"),
    "regex": (".regex_format", "is_pattern"),
    "uri": (".net_formats", "is_uri"),
    "uri-reference": (".net_formats", "is_uri_reference"),
    "uri-template": (".net_formats", "is_uri_template"),
}


ASSERTED: Final = frozenset((*FORMATS, *_LATER))
"""All formats that are asserted."""


def format_test(name: str) -> Callable[[str], bool] | None:
    """Return the test of a format that is asserted, None for an annotation."""
    if name not in _LATER:
        return FORMATS.get(name)
    home, function = _LATER[name]
    found: Callable[[str], bool] = getattr(import_module(home, __package__), function)
    return found

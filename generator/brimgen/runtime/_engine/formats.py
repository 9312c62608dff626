"""Formats, asserted: text in, yes or no out. A format that is not named here is an annotation."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from .net_formats import (
    is_email,
    is_hostname,
    is_idn_email,
    is_idn_hostname,
    is_ipv4,
    is_ipv6,
    is_iri,
    is_iri_reference,
    is_uri,
    is_uri_reference,
    is_uri_template,
)
from .patterns import is_pattern
from .times import to_date, to_datetime
from .uuids import is_uuid

_DURATION = re.compile(
    r"P(?:[0-9]+W|(?=[0-9T])(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)?"
    r"(?:T(?=[0-9])(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)?)?)\Z"
)
_POINTER = re.compile(r"(?:/(?:[^~/]|~[01])*)*\Z", re.DOTALL)
_RELATIVE = re.compile(r"(?:0|[1-9][0-9]*)(?:#|(?:/(?:[^~/]|~[01])*)*)\Z", re.DOTALL)


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
    return is_datetime("2000-01-01T" + text)


def is_duration(text: str) -> bool:
    """Return whether a text is a duration of RFC 3339, appendix A."""
    return _DURATION.match(text) is not None


def is_pointer(text: str) -> bool:
    """Return whether a text is a JSON Pointer."""
    return _POINTER.match(text) is not None


def is_relative_pointer(text: str) -> bool:
    """Return whether a text is a relative JSON Pointer."""
    return _RELATIVE.match(text) is not None


FORMATS: Final[Mapping[str, Callable[[str], bool]]] = {
    "date": is_date,
    "date-time": is_datetime,
    "duration": is_duration,
    "email": is_email,
    "hostname": is_hostname,
    "idn-email": is_idn_email,
    "idn-hostname": is_idn_hostname,
    "ipv4": is_ipv4,
    "ipv6": is_ipv6,
    "iri": is_iri,
    "iri-reference": is_iri_reference,
    "json-pointer": is_pointer,
    "regex": is_pattern,
    "relative-json-pointer": is_relative_pointer,
    "time": is_time,
    "uri": is_uri,
    "uri-reference": is_uri_reference,
    "uri-template": is_uri_template,
    "uuid": is_uuid,
}
"""What is asserted."""

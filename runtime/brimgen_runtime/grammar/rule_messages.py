"""The rules that tools in specs and in a store must keep: their codes and messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

MESSAGES: Final[Mapping[str, str]] = {
    "S201": "{owner} has no `{key}`",
    "S202": "{key} must be {expected}, not {actual}",
    "S203": "unknown key `{key}` in {owner}",
    "S209": "{key} must be {choices}, not {actual}",
    "R344": "the pattern cannot be used: {reason}",
    "R361": "`{keyword}` must be {expected}, not {actual}",
    "R362": "`{name}` is not a JSON Schema type",
    "R363": "`$schema` names a dialect that is not supported: `{name}`",
    "R364": "`$ref` leaves this schema: `{ref}`",
    "R365": "`$ref` points to nothing: `{ref}`",
    "R366": "`$ref` leads back to itself: `{ref}`",
    "R367": "the root must be an object, but the schema says `type: {type}`",
    "R370": "`{keyword}` is not supported: `{ref}`",
    "R379": "`{name}` is required, but there is no such property",
    "R389": "{what} `{text}` {reason}",
    "R397": "`required: {value}` stands in the schema of a property",
    "R401": "the URL is not well formed: {reason}",
    "R402": "`${{{name}}}` is neither an argument nor a declared secret",
    "R403": "`{name}` has no `{member}`",
    "R404": "`{text}` is not well formed",
    "R405": "`{name}` is both a secret and an argument",
    "R409": "{host} is not an allowed host{among}",
    "R413": "`{name}` is {what}, which is not possible in {position}",
    "R414": "`{name}` may be absent, and {position} cannot be left out",
    "R415": "{what}",
    "R417": "a {method} request has no body",
    "R418": "the body is not JSON: {reason}",
    "R419": "`{style}` is not a way to write `{name}`",
    "R420": "`{name}` is {what}, which `{style}` does not write in {position}",
    "R423": "`{text}` is not a UUID of version 7",
    "R427": "`{text}` is plain text and is sent unchanged; the value of `{name}` is not inserted",
}
"""The message of each rule, by its code; a build adds the place and a help."""


class Mistake(NamedTuple):
    """A broken rule, and the values of its message."""

    code: str
    values: Mapping[str, Any]

    @property
    def message(self) -> str:
        """The message with its values."""
        return MESSAGES[self.code].format(**self.values)

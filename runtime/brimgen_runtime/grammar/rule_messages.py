"""The rules that tools in specs and in a store must keep: their reasons, codes and messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, Final, NamedTuple

RULES: Final[Mapping[str, tuple[str, str]]] = {
    "missing-key": (
        "S201",
        "{owner} has no `{key}`",
    ),
    "wrong-kind": (
        "S202",
        "{key} must be {expected}, not {actual}",
    ),
    "unknown-key": (
        "S203",
        "unknown key `{key}` in {owner}",
    ),
    "unknown-choice": (
        "S209",
        "{key} must be {choices}, not {actual}",
    ),
    "bad-pattern": (
        "R344",
        "the pattern cannot be used: {reason}",
    ),
    "bad-keyword": (
        "R343",
        "`{keyword}` must be {expected}, not {actual}",
    ),
    "unknown-schema-type": (
        "R343",
        "`{name}` is not a JSON Schema type",
    ),
    "unknown-schema-dialect": (
        "R363",
        "`$schema` names a dialect that is not supported: `{name}`",
    ),
    "remote-ref": (
        "R364",
        "`$ref` leaves this schema: `{ref}`",
    ),
    "dangling-ref": (
        "R364",
        "`$ref` points to nothing: `{ref}`",
    ),
    "ref-loop": (
        "R364",
        "`$ref` leads back to itself: `{ref}`",
    ),
    "root-not-object": (
        "R367",
        "the root must be an object, but the schema says `type: {type}`",
    ),
    "dynamic-ref": (
        "R364",
        "`{keyword}` is not supported: `{ref}`",
    ),
    "required-not-declared": (
        "R379",
        "`{name}` is required, but there is no such property",
    ),
    "bad-slug": (
        "S208",
        "{what} `{text}` {reason}",
    ),
    "required-of-property": (
        "R379",
        "`required: {value}` stands in the schema of a property",
    ),
    "bad-url": (
        "R388",
        "the URL is not well formed: {reason}",
    ),
    "undeclared-variable": (
        "R383",
        "`${{{name}}}` is neither an argument nor a declared secret",
    ),
    "no-such-member": (
        "R395",
        "`{name}` has no `{member}`",
    ),
    "bad-variable": (
        "R388",
        "`{text}` is not well formed",
    ),
    "secret-clash": (
        "R405",
        "`{name}` is both a secret and an argument",
    ),
    "host-not-allowed": (
        "R409",
        "{host} is not an allowed host{among}",
    ),
    "value-not-plain": (
        "R413",
        "`{name}` is {what}, which is not possible in {position}",
    ),
    "may-be-absent": (
        "R413",
        "`{name}` may be absent, and {position} cannot be left out",
    ),
    "bad-header": (
        "R415",
        "{what}",
    ),
    "body-not-sent": (
        "R417",
        "a {method} request has no body",
    ),
    "bad-body": (
        "R417",
        "the body is not JSON: {reason}",
    ),
    "unknown-style": (
        "R413",
        "`{style}` is not a way to write `{name}`",
    ),
    "unfit-style": (
        "R413",
        "`{name}` is {what}, which `{style}` does not write in {position}",
    ),
    "bad-id": (
        "R423",
        "`{text}` is not a UUID of version 7",
    ),
    "unmarked-variable": (
        "R427",
        "`{text}` is plain text and is sent unchanged; the value of `{name}` is not inserted",
    ),
}
"""The code and the message of each rule, by its reason; a build adds the place and a help."""


class Mistake(NamedTuple):
    """A broken rule, the values of its message, and a `suggestion` that a store adds to it."""

    reason: str
    values: Mapping[str, Any]
    hint: str = ""

    @property
    def code(self) -> str:
        """The code of the rule."""
        return RULES[self.reason][0]

    @property
    def message(self) -> str:
        """The message with its values."""
        return RULES[self.reason][1].format(**self.values) + self.hint


def suggestion(name: object, known: Iterable[str]) -> str:
    """Return "did you mean" with a similar known name; "" if there is none."""
    close = get_close_matches(str(name), [*known], n=1)
    return f"; did you mean `{close[0]}`?" if close else ""

"""Project the keywords that constrain values of one type to a plain profile."""

from __future__ import annotations

from typing import Any

from brimgen.emit.account import Recovery
from brimgen.emit.projection.describe_keywords import HINTED, phrase
from brimgen.emit.projection.json_types import allowed_values, of_type
from brimgen.emit.projection.keywords import words
from brimgen.emit.projection.ledger import Ledger
from brimgen.emit.projection.profiles import Profile
from brimgen.model.json import Json, JsonObject

STRUCTURE = words(
    "type properties required additionalProperties unevaluatedProperties patternProperties"
    " items prefixItems unevaluatedItems $ref $defs enum const"
)
"""Keywords that are no assertions about values of one type, or are said with its shape."""

_INCLUSIVE = {"exclusiveMinimum": ("minimum", 1), "exclusiveMaximum": ("maximum", -1)}


def assertions(
    ledger: Ledger, projected: dict[str, Any], node: JsonObject, pointer: str
) -> list[str]:
    """Add the assertions of ``node``, which has one type, to ``projected``, which has its shape.

    Returns phrases for those that the profile does not carry.
    """
    profile = ledger.profile
    phrases: list[str] = []
    for keyword, value in node.items():
        if keyword in STRUCTURE:
            continue
        if profile.carries(keyword, value):
            projected[keyword] = value
            phrases += hints(profile, keyword, value)
        elif not _included(ledger, projected, node, keyword, pointer):
            phrases += ledger.describe_loss(pointer, keyword, value)
    return phrases


def hints(profile: Profile, keyword: str, value: Json) -> list[str]:
    """Return the words that stand beside a keyword that ``profile`` carries, if there are any."""
    if keyword in profile.also_described:
        hint = phrase(keyword, value)
    else:
        hint = profile.hints.get(str(value)) if keyword in HINTED else None
    return [hint] if hint else []


def _included(
    ledger: Ledger,
    projected: dict[str, Any],
    node: JsonObject,
    keyword: str,
    pointer: str,
) -> bool:
    """Whether an exclusive bound of integers could be written as an inclusive one."""
    if keyword not in _INCLUSIVE:
        return False
    (bound, step), value = _INCLUSIVE[keyword], node[keyword]
    whole = isinstance(value, int | float) and value == int(value)
    if (
        node.get("type") != "integer"
        or not isinstance(value, int | float)
        or not whole
        or not ledger.profile.carries(bound, value)
    ):
        return False
    existing: Any = node.get(bound)
    own = int(value) + step
    tighter = max if step > 0 else min
    projected[bound] = own if existing is None else tighter(own, existing)
    ledger.lose(pointer, keyword, value, Recovery.KEYWORD)
    return True


def choices(
    ledger: Ledger, node: JsonObject, name: str, pointer: str
) -> tuple[dict[str, Any], list[str]]:
    """Return the scalar type ``name`` with ``enum`` or ``const`` of ``node``, and a phrase if
    neither is carried.
    """
    projected: dict[str, Any] = {"type": name}
    values = allowed_values(node)
    if values is None:
        return projected, []
    fitting = of_type(values, name)
    keyword = "const" if "const" in node else "enum"
    if not fitting:
        ledger.obstruct(pointer, NOTHING)
        ledger.lose(pointer, keyword, node[keyword], Recovery.DECODER)
        return projected, []
    _check_case(ledger, fitting, pointer)
    allowed = fitting[0] if keyword == "const" else fitting
    if ledger.profile.carries(keyword, allowed):
        projected[keyword] = allowed
        return projected, []
    if keyword == "const" and ledger.profile.carries("enum", fitting):
        ledger.lose(pointer, "const", allowed, Recovery.KEYWORD)
        projected["enum"] = fitting
        return projected, []
    return projected, list(ledger.describe_loss(pointer, keyword, allowed))


def unsaid_choices(ledger: Ledger, node: JsonObject, pointer: str) -> list[str]:
    """Return a phrase for the only objects or lists that ``node`` allows, if it names any."""
    if allowed_values(node) is None:
        return []
    if ledger.profile.closed:
        ledger.obstruct(pointer, "only certain objects or lists are allowed")
        return []
    keyword = "const" if "const" in node else "enum"
    return [*ledger.describe_loss(pointer, keyword, node[keyword])]


NOTHING = "no value of its type is allowed"


def _check_case(ledger: Ledger, values: list[Json], pointer: str) -> None:
    if not ledger.profile.case_blind:
        return
    seen: dict[str, str] = {}
    for value in values:
        if isinstance(value, str) and seen.setdefault(value.casefold(), value) != value:
            first = seen[value.casefold()]
            ledger.obstruct(
                pointer, f"`{first}` and `{value}` differ in nothing but case"
            )

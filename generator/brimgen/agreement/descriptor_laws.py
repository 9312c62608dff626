"""Compare each descriptor of a tool with its decoder.

4. What a descriptor admits ``from_call`` accepts, and the other way round, but for what the ledger
   of losses names; both decode the same.
5. No hidden argument is a property of anything that a caller reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

from brimgen.agreement.decoder import Decoder, names_in, names_of
from brimgen.agreement.instances import Instances, NoValue, distinct, in_turns
from brimgen.agreement.reference_validator import Oracles, Unjudged
from brimgen.agreement.report import UNJUDGED, Excuse
from brimgen.agreement.round_trip import Meaning, without_nulls
from brimgen.emit.account import Descriptor, Loss, Recovery
from brimgen.emit.projection.ledger import BUDGET
from brimgen.model.json import is_list, is_object
from brimgen.schema.walk import map_schemas, pointer_to, schemas_in
from brimgen_runtime.grammar.schema_parts import resolve_pointer

MOST_OF_A_DESCRIPTOR = 160
"""Calls that one descriptor is asked about, of its own edges and of the tool's in turns."""

MOST_ACCEPTED = 60
"""Valid calls that one descriptor must be able to say."""

_MORE = "admits what from_call refuses: losses.json says so"
_LESS = "refuses what from_call accepts: losses.json says so"
_NULL = "says null where nothing is meant, and an object of no class keeps it"

_HOMES = ("inputSchema", "input_schema", "parametersJsonSchema", "parameters")
_NOT_IN_SCHEMA = frozenset({Recovery.TEXT, Recovery.DECODER, Recovery.NONE})
_WHOLE = frozenset({BUDGET, "$ref", "$dynamicRef"})
"""Keywords of the ledger that stand for all below their place."""

_FURTHER = frozenset(
    {
        *("additionalProperties", "unevaluatedProperties", "patternProperties"),
        *("properties", "propertyNames"),
    }
)
"""Keywords by whose loss a descriptor admits properties that it does not declare."""

_ITEMS = frozenset({"items", "prefixItems", "additionalItems", "unevaluatedItems"})
_COMPOSED = frozenset(
    {
        *("allOf", "anyOf", "oneOf", "not", "if", "then", "else", "contains"),
        *("minContains", "maxContains", "dependentSchemas", "dependencies"),
        *("propertyNames", "false", "unknown"),
    }
)
"""Rules that are broken where any keyword below them is."""


def arguments_schema(descriptor: Descriptor) -> Mapping[str, Any] | None:
    """Return the schema of the arguments; None where the descriptor has none (a prompt)."""
    entry = _entry_of(descriptor)
    for home in _HOMES:
        if home in entry:
            schema: dict[str, Any] = entry[home]
            if descriptor.profile == "gemini_openapi":
                schema = map_schemas(schema, _in_json_schema)
            own_names = partial(_with_own_names, descriptor.aliases)
            return map_schemas(schema, own_names) if descriptor.aliases else schema
    return None


def _entry_of(descriptor: Descriptor) -> Any:
    """What a descriptor says of a tool, without the wrapper of OpenAI's chat API."""
    value: Any = descriptor.json
    return value.get("function", value)


def _with_own_names(aliases: Mapping[str, str], part: dict[str, Any]) -> dict[str, Any]:
    """A part of a schema with the tool's own names in the place of ``aliases``."""
    part = {**part}
    if is_object(part.get("properties")):
        named = part["properties"].items()
        part["properties"] = {aliases.get(name, name): inner for name, inner in named}
    if is_list(part.get("required")):
        part["required"] = [aliases.get(name, name) for name in part["required"]]
    return part


def _in_json_schema(part: dict[str, Any]) -> dict[str, Any]:
    """Gemini's subset of OpenAPI 3.0 in the words of JSON Schema: small types, null as a type."""
    converted = {
        key: value
        for key, value in part.items()
        if key not in ("nullable", "example", "default")
        and (key, value) != ("format", "enum")
    }
    if isinstance(converted.get("type"), str):
        converted["type"] = converted["type"].lower()
    for bound in ("minLength", "maxLength", "minItems", "maxItems"):
        if isinstance(converted.get(bound), str):
            converted[bound] = int(converted[bound])
    return (
        {"anyOf": [converted, {"type": "null"}]} if part.get("nullable") else converted
    )


class DescriptorLaws:
    """Compares one descriptor, whose arguments have ``schema``, with the tool of ``decoder``.

    ``losses`` are the rows of the ledger on the descriptor; ``meaning`` compares calls of the tool.
    """

    def __init__(
        self,
        decoder: Decoder,
        descriptor: Descriptor,
        schema: Mapping[str, Any],
        losses: Iterable[Loss],
        oracles: Oracles,
        meaning: Meaning,
    ) -> None:
        self._decoder, self._report, self._meaning = decoder, decoder.report, meaning
        self._profile, self._entry = descriptor.profile, _entry_of(descriptor)
        self._schema, self._oracle = schema, oracles.of(schema)
        self._phrases, self._declared = Meaning(schema, self._oracle), _declared(schema)
        self._rows = [
            (loss, [*names_in(loss.pointer)]) for loss in losses if loss.part == "input"
        ]

    def check(self, edges: Iterable[Any], accepted: Iterable[Any]) -> None:
        """Compare it with the decoder by calls at edges, of which some are ``accepted``."""
        self._check_names()
        try:
            own = Instances(self._schema, self._oracle.accepts_part).edges()
        except NoValue:
            own = []
        asked = distinct(in_turns([iter(own), iter(edges)]))
        for instance in islice(asked, MOST_OF_A_DESCRIPTOR):
            self._judge(self._check_instance, instance)
        for instance in islice(accepted, MOST_ACCEPTED):
            self._judge(self._check_accepted_call, instance)

    def _judge(self, check: Callable[[Any], None], instance: Any) -> None:
        try:
            check(instance)
        except Unjudged as problem:
            self._excuse(UNJUDGED, str(problem))

    def _differs(self, says: str, instance: Any = None) -> None:
        self._decoder.differs(self._profile, says, instance)

    def _excuse(self, may: str, what: str, pointer: str = "") -> None:
        tool = self._decoder.tool
        self._report.excuse(self._profile, Excuse(may, what), tool, pointer)

    def _check_names(self) -> None:
        """That of the tool, those of references, and law 5.

        Inside of an argument, a property of the published schema may be called like a hidden one.
        """
        schema, tool = self._schema, self._decoder.tool
        if self._entry.get("name", tool.name) != tool.name:
            self._differs(f"calls the tool {self._entry['name']}")
        parts = [part for _, part in schemas_in(schema)]
        refs = {str(part["$ref"]) for part in parts if "$ref" in part}
        for ref in sorted(ref for ref in refs if ref.startswith("#")):
            # Where a part is called by an `$id`, references may be about that part.
            if resolve_pointer(schema, ref) is None and not any(
                "$id" in part for part in parts
            ):
                self._differs(f"refers to {ref}, which it does not hold")
        added = self._declared - _declared(self._decoder.published)
        for hidden_field in tool.hidden_fields:
            if hidden_field.name in added | {*schema.get("properties", ())}:
                self._differs(f"tells of the hidden argument {hidden_field.name}")

    def _check_instance(self, instance: Any) -> None:
        """If the descriptor admits what the decoder refuses, the ledger must name each reason."""
        admits = self._oracle.accepts(instance)
        self._report.of(self._profile).add(admits)
        if not admits:
            return
        _, violations = self._decoder.read_call(instance, self._profile)
        unknown: list[str] = []
        told: dict[tuple[str, str], str] = {}
        for violation in violations:
            rule, pointer = violation.rule, violation.pointer
            own, lost = self._decoder.decoder_excuse(rule, pointer), self._lost(
                rule, pointer
            )
            if own is not None:
                may = f"admits what from_call refuses: {own.may}"
                told.setdefault((may, own.what), pointer)
            elif lost is not None:
                told.setdefault((_MORE, lost), pointer)
            else:
                unknown.append(f"{rule} at {pointer!r}")
        if unknown:
            says = "admits what from_call refuses, and losses.json does not say so"
            self._differs(f"{says} ({', '.join(unknown)})", instance)
            return
        for (may, what), pointer in told.items():
            self._excuse(may, what, pointer)

    def _lost(self, rule: str, pointer: str) -> str | None:
        """The keyword that the ledger has for a rule of the decoder at a place, None for none."""
        place = names_of(pointer)
        for loss, names in self._rows:
            keyword = loss.keyword
            if loss.recovered_by not in _NOT_IN_SCHEMA:
                continue
            if keyword == rule and names and names[-1] in place[-2:]:
                return keyword  # perhaps of an object in itself, which is deeper than the row
            if not _are_near(loss, names, place):
                continue
            own, inner = place[: len(names)], place[len(names) :]
            is_definition = loss.pointer.startswith("/$defs")
            if (is_definition or len(own) == len(names)) and (
                keyword in _WHOLE | _ITEMS
                or (keyword == rule and (len(inner) < 2 or is_definition))
                or (keyword in _FURTHER and rule == "unknown")
                or (keyword in _FURTHER and not self._declared.issuperset(inner[:1]))
            ):
                return "additionalProperties" if rule == "unknown" else keyword
            if rule in _COMPOSED or keyword in _COMPOSED:
                return rule
        return None

    def _narrowed(self, pointer: str) -> str | None:
        """The keyword of a row by which the descriptor admits less at a place, or below it."""
        place = names_of(pointer)
        for loss, names in self._rows:
            if (
                loss.recovered_by is Recovery.NARROWED
                and len(names) >= len(place)
                and _are_near(loss, names, place)
            ):
                return loss.keyword
        return None

    def _phrased(self, value: Any) -> Any:
        """A valid value as the descriptor wants it: null for what it requires and is absent.

        Raises `Unjudged`.
        """
        return value if self._oracle.accepts(value) else self._phrases.with_nulls(value)

    def _check_accepted_call(self, instance: Any) -> None:
        """The descriptor admits an accepted call, too, and the call means the same."""
        phrased = self._phrased(instance)
        accepted = self._oracle.accepts(phrased)
        self._report.of(self._profile).add(accepted)
        if not accepted:
            self._explain_narrower(phrased)
            return
        call, violations = self._decoder.read_call(phrased, self._profile)
        if call is not None:
            meant, _ = self._decoder.read_call(instance, self._profile)
            if call == meant or self._can_say_defaults(instance, meant):
                return
            # A descriptor that knows no absence cannot say the difference where an object takes
            # both: a branch that is open, or has the property nullable.
            if without_nulls(call.to_dict(), meant.to_dict()) == meant.to_dict():
                self._excuse(_NULL, "null")
                return
        for pointer in _nulls_in(instance):
            keyword = self._narrowed(pointer)
            if (
                keyword is not None
            ):  # null is a value here, and means absent to the descriptor
                self._excuse(_LESS, keyword, pointer)
                return
        rules = ", ".join(violation.rule for violation in violations)
        self._differs(f"means another call than without null ({rules})", phrased)

    def _can_say_defaults(self, instance: Any, meant: Any) -> bool:
        """Whether the call that states its defaults means the same as ``instance``.

        Null is a value of its own where an argument may be null, so it cannot ask for a default.
        """
        phrased = self._phrased(self._meaning.with_defaults(instance))
        if not self._oracle.accepts(phrased):
            return False
        call, _ = self._decoder.read_call(phrased, self._profile)
        return call is not None and bool(call == meant)

    def _explain_narrower(self, phrased: Any) -> None:
        complaints = self._oracle.complaints(phrased)
        keywords = {pointer: self._narrowed(pointer) for _, pointer in complaints}
        unknown = [f"{rule} at {at!r}" for rule, at in complaints if not keywords[at]]
        if unknown:
            says = "refuses a right call, and losses.json does not say so"
            self._differs(f"{says} ({', '.join(unknown)})", phrased)
            return
        for pointer, keyword in keywords.items():
            self._excuse(_LESS, str(keyword), pointer)


def _are_near(loss: Loss, names: Sequence[str | None], place: Sequence[str]) -> bool:
    """Whether a row of the ledger, whose pointer leads through ``names``, is about a place.

    It is if one lies in the other, where None stands for any name; a row on a definition, wherever
    that is used, if both have the same last name.
    """
    if loss.pointer.startswith("/$defs"):
        return not names or not place or names[-1] in (None, *place[-2:])
    return all(own in (None, name) for own, name in zip(names, place, strict=False))


def _declared(schema: Any) -> set[str]:
    """The names of all properties that a schema declares in any of its parts."""
    parts = (part.get("properties") for _, part in schemas_in(schema))
    return {name for named in parts if is_object(named) for name in named}


def _nulls_in(value: Any, pointer: str = "") -> Iterator[str]:
    """The pointers of the nulls in a JSON value."""
    if value is None:
        yield pointer
    elif is_object(value):
        for name, member in value.items():
            yield from _nulls_in(member, pointer_to(pointer, name))
    elif is_list(value):
        for number, item in enumerate(value):
            yield from _nulls_in(item, f"{pointer}/{number}")

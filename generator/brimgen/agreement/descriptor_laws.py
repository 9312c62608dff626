"""Compare each descriptor of a tool with its decoder.

4. What a descriptor admits ``from_call`` accepts, and the other way round, but for what the ledger
   of losses names; both decode the same.
5. No hidden argument is a property of anything that a caller reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from brimgen.agreement.decoder import Decoder
from brimgen.agreement.descriptors import UNKNOWN, JudgedDescriptor, declared
from brimgen.agreement.instances import (
    Instances,
    NoValue,
    distinct,
    in_turns,
    nulls_in,
    place_of,
    pointer_of,
)
from brimgen.agreement.reference_validator import Unjudged
from brimgen.agreement.report import UNJUDGED, Excuse
from brimgen.agreement.round_trip import Meaning, without_nulls

MOST_OF_A_DESCRIPTOR = 160
"""Calls that one descriptor is asked about, of its own edges and of the tool's in turns."""

MOST_ACCEPTED = 60
"""Valid calls that one descriptor must be able to say."""

_CLOSED = "additionalProperties"
_MORE = "admits what from_call refuses"
_LESS = "refuses what from_call accepts: losses.json says so"
_NULL = "says null where nothing is meant, and an object of no class keeps it"


def _differ_by_nulls(call: Any, meant: Any) -> bool:
    """Return whether two calls differ only by nulls in one for absent values in the other.

    A descriptor that knows no absence cannot say the difference where an object takes both: a
    branch that is open, or has the property nullable.
    """
    return bool(without_nulls(call, meant) == meant)


class DescriptorLaws:
    """Compares the descriptor of one profile with the tool of ``decoder``; ``meaning`` compares its
    calls.
    """

    def __init__(
        self, decoder: Decoder, descriptor: JudgedDescriptor, meaning: Meaning
    ) -> None:
        self._decoder, self._descriptor, self._meaning = decoder, descriptor, meaning
        self._report, self._profile = decoder.report, descriptor.profile

    def check(self, edges: Iterable[Any], accepted: Iterable[Any]) -> None:
        """Compare it with the decoder by calls at edges, of which some are ``accepted``."""
        self._check_hidden_arguments()
        if self._descriptor.name not in (None, self._decoder.tool.name):
            self._differs(f"calls the tool {self._descriptor.name}")
        for ref in self._descriptor.dangling():
            self._differs(f"refers to {ref}, which it does not hold")
        asked = distinct(in_turns([iter(self._own_edges()), iter(edges)]))
        for instance in islice(asked, MOST_OF_A_DESCRIPTOR):
            self._judge(self._check_instance, instance)
        for instance in islice(accepted, MOST_ACCEPTED):
            self._judge(self._check_accepted_call, instance)

    def _judge(self, check: Callable[[Any], None], instance: Any) -> None:
        try:
            check(instance)
        except Unjudged as problem:
            excuse = Excuse(UNJUDGED, str(problem))
            self._report.excuse(self._profile, excuse, self._decoder.tool)

    def _differs(self, says: str, instance: Any = None) -> None:
        self._decoder.differs(self._profile, says, instance)

    def _check_hidden_arguments(self) -> None:
        """Law 5. Inside of an argument, a property of the published schema may have the name."""
        schema = self._descriptor.schema
        added = {*declared(schema)} - {*declared(self._decoder.published)}
        own = {*schema.get("properties", ())}
        for hidden_field in self._decoder.tool.hidden_fields:
            if hidden_field.name in own | added:
                self._differs(f"tells of the hidden argument {hidden_field.name}")

    def _own_edges(self) -> list[Any]:
        """Calls at the edges of the descriptor's own schema."""
        descriptor = self._descriptor
        try:
            return Instances(descriptor.schema, descriptor.oracle.accepts_part).edges()
        except NoValue:
            return []

    def _check_instance(self, instance: Any) -> None:
        """If the descriptor admits what the decoder refuses, the ledger must name each reason."""
        admits = self._descriptor.oracle.accepts(instance)
        self._report.of(self._profile).add(admits)
        if not admits:
            return
        _, violations = self._decoder.read_call(instance, self._profile)
        excuses = [
            self._decoder.decoder_excuse(
                violation.rule, place_of(violation.pointer, instance)
            )
            for violation in violations
        ]
        if None in excuses and not self._descriptor.may_admit(instance):
            rules = ", ".join(
                f"{violation.rule} at {violation.pointer!r}"
                for violation, excuse in zip(violations, excuses, strict=True)
                if excuse is None
            )
            says = f"admits what from_call refuses, and losses.json does not say so ({rules})"
            self._differs(says, instance)
            return
        first: dict[Excuse, str] = {}
        for violation, own in zip(violations, excuses, strict=True):
            keyword = _CLOSED if violation.rule == UNKNOWN else violation.rule
            lost = Excuse("losses.json says so", keyword)
            excuse = own or lost
            told = Excuse(f"{_MORE}: {excuse.may}", excuse.what)
            first.setdefault(told, violation.pointer)
        for excuse, pointer in first.items():
            self._report.excuse(self._profile, excuse, self._decoder.tool, pointer)

    def _check_accepted_call(self, instance: Any) -> None:
        """The descriptor admits an accepted call, too, and the call means the same."""
        descriptor = self._descriptor
        phrased = descriptor.phrased(instance)
        accepted = descriptor.oracle.accepts(phrased)
        self._report.of(descriptor.profile).add(accepted)
        if not accepted:
            self._explain_narrower(phrased)
            return
        call, violations = self._decoder.read_call(phrased, descriptor.profile)
        if call is not None:
            meant, _ = self._decoder.read_call(instance, descriptor.profile)
            if call == meant:
                return
            if self._can_say_defaults(instance, meant):
                return
            if _differ_by_nulls(call.to_dict(), meant.to_dict()):
                excuse = Excuse(_NULL, "null")
                self._report.excuse(self._profile, excuse, self._decoder.tool)
                return
        if self._is_unsaid_null(instance):
            return
        rules = ", ".join(violation.rule for violation in violations)
        self._differs(f"means another call than without null ({rules})", phrased)

    def _can_say_defaults(self, instance: Any, meant: Any) -> bool:
        """Whether the call that states its defaults means the same as ``instance``.

        Null is a value of its own where an argument may be null, so it cannot ask for a default.
        """
        descriptor = self._descriptor
        phrased = descriptor.phrased(self._meaning.with_defaults(instance))
        if not descriptor.oracle.accepts(phrased):
            return False
        call, _ = self._decoder.read_call(phrased, descriptor.profile)
        return call is not None and bool(call == meant)

    def _is_unsaid_null(self, instance: Any) -> bool:
        """Whether a null of a call is a value that the descriptor does not know: to it, null means
        absent.
        """
        for place in nulls_in(instance):
            keyword = self._descriptor.may_be_narrower(place)
            if keyword is not None:
                tool, pointer = self._decoder.tool, pointer_of(place)
                self._report.excuse(
                    self._profile, Excuse(_LESS, keyword), tool, pointer
                )
                return True
        return False

    def _explain_narrower(self, phrased: Any) -> None:
        complaints = self._descriptor.oracle.complaints(phrased)
        keywords = [self._descriptor.may_be_narrower(place) for _, place in complaints]
        if None in keywords:
            rules = ", ".join(
                f"{rule} at {pointer_of(place)!r}"
                for (rule, place), keyword in zip(complaints, keywords, strict=True)
                if keyword is None
            )
            says = "refuses a right call, and losses.json does not say so"
            self._differs(f"{says} ({rules})", phrased)
            return
        for keyword, (_, place) in zip(keywords, complaints, strict=True):
            self._report.excuse(
                self._profile,
                Excuse(_LESS, str(keyword)),
                self._decoder.tool,
                pointer_of(place),
            )

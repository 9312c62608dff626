"""The laws: one tool, its schemas and its generated code in; where they do not agree out.

1. The published schema, read by a foreign validator, and ``from_dict`` say yes to the same values.
2. What was decoded is encoded to a value that is decoded to an equal one.
3. The schema inside of the generated module is the published one.
4. What a descriptor admits ``from_call`` accepts, and the other way round, but for what the ledger
   of losses names; both decode the same.
5. No hidden argument is a property of anything that a caller reads.
6. SQL bindings and HTTP requests are made of what was decoded, or refuse it with `ValueError`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from brimgen.agreement.calls import hidden_values, makers_of, reason_of
from brimgen.agreement.descriptors import Said
from brimgen.agreement.instances import Instances, NoValue
from brimgen.agreement.oracle import JUDGED, Oracle, Unjudged, words_of
from brimgen.agreement.parts import distinct
from brimgen.agreement.report import Report
from brimgen.agreement.rows import UNKNOWN
from brimgen.model.catalog import Tool
from brimgen.model.json import is_list, is_object

SCHEMA = "JSON Schema"
PYTHON = "Python, from_dict"
ROUND = "Python, to_json and back"
CALLS = "Python, bound calls"
_OWN = {
    "format": "text that is none of a format or leaf which only we read",
    "leaf": "text that the parser of a leaf refuses",
    "x-decimal": "digits beyond x-decimal, which only we read",
}
"""What the decoder enforces beyond JSON Schema."""
_OPEN = "published as open, unknown arguments are refused (closed: false)"


class _ForeignCode(Exception):
    """The code of the project's own leaves cannot be run; the text says why."""


class Agreement:
    """One tool: ``code`` is its `Tool` in the generated package, ``published`` its schema file."""

    def __init__(
        self, tool: Tool, code: Any, published: Mapping[str, Any], report: Report
    ) -> None:
        self._tool, self._code, self._report = tool, code, report
        self._schema = published
        self._oracle = Oracle(published)
        others = {*words_of(published, "format")} - JUDGED
        self._has_leaves = any(words_of(published, "x-leaf"))
        self._has_others = bool(others) or self._has_leaves

    def show(self, told: Iterable[Said]) -> None:
        """Hold all artifacts of the tool against each other."""
        self._report.tools += 1
        try:
            self._show(told)
        except _ForeignCode as problem:
            self._report.unshown.append((self._tool, str(problem)))

    def _show(self, told: Iterable[Said]) -> None:
        if self._tool.closed_input_schema is None:
            self._hold_embedded()
        try:
            edges = Instances(self._schema, self._oracle.accepts_part).edges()
        except NoValue:
            why = "no call is known that its schema accepts; give `examples`"
            self._report.unshown.append((self._tool, why))
            return
        self._report.instances += len(edges)
        right = [each for each in edges if self._hold_decoder(each)]
        for said in told:
            self._hold_hidden(said)
            self._hold_descriptor(said, edges, right)
        self._hold_calls(right)

    def _hold_embedded(self) -> None:
        inside = json.loads(json.dumps(self._code.input_schema))
        if inside != self._schema:
            says = "the schema inside of the module is not the published one"
            self._report.differ(self._tool, PYTHON, says, None)

    def _hold_decoder(self, instance: Any) -> bool:
        """Laws 1 and 2. Whether schema and decoder accept the instance."""
        try:
            published = self._oracle.accepts(instance)
        except Unjudged as problem:
            self._report.except_(SCHEMA, [f"not judged: {problem}"])
            return False
        self._report.of(SCHEMA).add(published)
        made, broken = self._decoded(self._code.input_type.from_dict, instance, PYTHON)
        rules = [each.rule for each in broken]
        self._report.of(PYTHON).add(made is not None)
        if published == (made is not None):
            if made is not None:
                self._hold_round_trip(made, instance)
            return published
        reasons = {self._reason(each) for each in rules}
        if published and None not in reasons:
            self._report.except_(PYTHON, [each for each in reasons if each])
        else:
            says = f"accepts what the schema refuses ({self._why(instance)})"
            if published:
                says = f"refuses what the schema accepts ({', '.join(rules)})"
            self._report.differ(self._tool, PYTHON, says, instance)
        return False

    def _reason(self, rule: str) -> str | None:
        """Why the decoder may refuse by ``rule`` what the schema admits; None: it may not."""
        if rule == UNKNOWN and self._tool.closed_input_schema is not None:
            return _OPEN
        if rule == "format" and not self._has_others:
            return None
        return _OWN.get(rule)

    def _why(self, instance: Any) -> str:
        rules = {rule for rule, _ in self._oracle.complaints(instance)}
        return ", ".join(sorted(rules))

    def _decoded(
        self, decode: Callable[[Any], Any], instance: Any, artifact: str
    ) -> tuple[Any, list[Any]]:
        """What the decoder makes, or None and the violations of which it complains."""
        try:
            try:
                return decode(instance), []
            except ValueError as error:
                violations = getattr(error, "violations", None)
                if violations:
                    return None, [*violations]
                raise
        except Exception as error:
            self._raised(error, artifact, instance)
        return None, []

    def _raised(self, error: Exception, artifact: str, instance: Any) -> None:
        """What no artifact may raise; leaves may be read by code that is not ours."""
        if self._has_leaves:
            raise _ForeignCode(f"the code of a leaf {_raised(error)}") from error
        self._report.differ(self._tool, artifact, _raised(error), instance)

    def _hold_round_trip(self, made: Any, instance: Any) -> None:
        try:
            text = made.to_json()
        except Exception as error:
            self._raised(error, ROUND, instance)
            return
        decode = self._code.input_type.from_call
        again, broken = self._decoded(decode, text, ROUND)
        rules = [each.rule for each in broken]
        self._report.of(ROUND).add(again is not None)
        if broken and not any(_is_given(each.pointer, instance) for each in broken):
            self._report.except_(ROUND, ["a default that its own pattern refuses"])
        elif again != made:
            says = f"writes {text}, which is read as another value or refused ({rules})"
            self._report.differ(self._tool, ROUND, says, instance)

    def _hold_hidden(self, said: Said) -> None:
        for each in self._tool.hidden_fields:
            if each.name in said.schema.get("properties", {}):
                says = f"tells of the hidden argument {each.name}"
                self._report.differ(self._tool, said.profile, says, None)

    def _hold_descriptor(
        self, said: Said, edges: Iterable[Any], right: Iterable[Any]
    ) -> None:
        """Law 4, in both directions."""
        for ref in said.dangling():
            says = f"refers to {ref}, which it does not hold"
            self._report.differ(self._tool, said.profile, says, None)
        decode = self._code.input_type.from_call
        for instance in distinct([*_own_edges(said), *edges]):
            if not _is_admitted(said, instance):
                continue
            self._report.of(said.profile).add(True)
            _, broken = self._decoded(decode, instance, said.profile)
            if broken:
                self._explain_wider(said, instance, broken)
        for instance in right:
            self._hold_phrased(said, instance)

    def _explain_wider(self, said: Said, instance: Any, found: list[Any]) -> None:
        """The model may say it and the decoder refuses it: the ledger must know each reason."""
        unknown = [
            each
            for each in found
            if self._reason(each.rule) is None
            and not said.may_be_wider(each.rule, _place(each.pointer, instance))
        ]
        if unknown:
            rules = ", ".join(f"{each.rule} at {each.pointer!r}" for each in unknown)
            says = f"admits what from_call refuses, and the ledger does not say so ({rules})"
            self._report.differ(self._tool, said.profile, says, instance)
        else:
            untold = {f"{each.rule} is not told" for each in found}
            self._report.except_(said.profile, untold)

    def _hold_phrased(self, said: Said, instance: Any) -> None:
        """A right call can be made by the descriptor, too, and means the same."""
        try:
            phrased = said.phrased(instance)
            accepted = said.oracle.accepts(phrased)
        except Unjudged:
            return
        self._report.of(said.profile).add(accepted)
        if not accepted:
            places = [place for _, place in said.oracle.complaints(phrased)]
            if all(said.may_be_narrower(each) for each in places):
                self._report.except_(said.profile, ["less can be said"])
            else:
                says = "refuses a right call, and the ledger does not say so"
                self._report.differ(self._tool, said.profile, says, phrased)
            return
        read = self._code.input_type
        made, broken = self._decoded(read.from_call, phrased, said.profile)
        if made is None or made != read.from_call(instance):
            rules = ", ".join(each.rule for each in broken)
            says = f"means another call than without null ({rules})"
            self._report.differ(self._tool, said.profile, says, phrased)

    def _hold_calls(self, right: Iterable[Any]) -> None:
        """Law 6."""
        try:
            makers = makers_of(self._code.input_type.__module__)
        except Exception as error:
            self._raised(error, CALLS, None)
            return
        hidden = hidden_values(self._tool) if makers else None
        if hidden is None:
            return
        context, host = hidden
        for instance in right:
            call = self._code.input_type.from_dict(instance)
            try:
                bound = self._code.bound_type.bind(call, context, **host)
            except Exception as error:
                self._raised(error, CALLS, instance)
                continue
            for artifact, make in makers:
                self._make(artifact, make, bound, instance)

    def _make(
        self, artifact: str, make: Callable[[Any], object], bound: Any, instance: Any
    ) -> None:
        try:
            make(bound)
        except ValueError as problem:
            self._report.of(artifact).add(False)
            self._report.except_(artifact, [reason_of(problem)])
        except Exception as error:
            self._raised(error, artifact, instance)
        else:
            self._report.of(artifact).add(True)


def _raised(error: Exception) -> str:
    return f"raises {type(error).__name__}: {error}"


def _own_edges(said: Said) -> list[Any]:
    """What is at the edges of the descriptor itself."""
    try:
        return Instances(said.schema, said.oracle.accepts_part).edges()
    except NoValue:
        return []


def _is_admitted(said: Said, instance: Any) -> bool:
    try:
        return said.oracle.accepts(instance)
    except Unjudged:
        return False


def _is_given(pointer: str, instance: Any) -> bool:
    """Whether what a pointer leads to, or what it is in, was part of the instance."""
    name = (
        pointer.split("/")[1].replace("~1", "/").replace("~0", "~") if pointer else ""
    )
    return not pointer or name in instance


def _place(pointer: str, instance: Any) -> list[str | int]:
    """The place that a JSON Pointer leads to, with indices as numbers."""
    place: list[str | int] = []
    value = instance
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if is_list(value) and name.isdigit():
            place.append(int(name))
            value = value[int(name)] if int(name) < len(value) else None
        else:
            place.append(name)
            value = value.get(name) if is_object(value) else None
    return place

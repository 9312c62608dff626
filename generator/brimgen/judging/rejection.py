"""Decide whether a schema accepts a value of a spec.

The verdict is that of the runtime's validator, which generated code uses as well. A pattern that
may keep it busy is not searched: both answers are tried, and there is no verdict if it depends on
them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from brimgen.judging.judgement import Judgement
from brimgen.model.json import Json, JsonObject, is_object
from brimgen.patterns.slowness import is_found
from brimgen_runtime.schema.compile import Compiler
from brimgen_runtime.schema.errors import Finding, SchemaError, violation
from brimgen_runtime.schema.nodes import Node, Search
from brimgen_runtime.schema.verdicts import Targets

_MOST_UNKNOWN = 5
"""Questions without an answer that are tried both ways."""

_MOST_WORK = 300_000
"""Characters of patterns and texts that are looked at for one value."""

_ELSEWHERE = "x-not-in-this-document"


def judge(
    document: JsonObject,
    value: Json,
    schema: JsonObject | None = None,
    pointer: str = "",
) -> Judgement:
    """Return whether ``schema``, which stands at ``pointer`` in a document, accepts ``value``.

    Without a schema it is the document.
    """
    schema = document if schema is None else schema
    return _Judge(document, value, schema, pointer).judgement({})


def rejection(schema: JsonObject, value: Json) -> str | None:
    """Return why ``schema`` surely refuses ``value``, in a few words; None if it may accept it."""
    judgement = judge(schema, value)
    return judgement.why if judgement.accepts is False else None


class _Unknown(Exception):
    """A question that nobody answers here: (pattern, text), or (reference, "")."""

    def __init__(self, question: tuple[str, str]) -> None:
        super().__init__(question)
        self.question = question


class _TooMuch(Exception):
    """The search of patterns would take longer than a build may."""


class _Judge:
    """One value and one schema; answers to what is unknown are assumed."""

    def __init__(
        self, document: JsonObject, value: Json, schema: JsonObject, pointer: str
    ) -> None:
        self._document, self._value = document, value
        self._schema, self._pointer = schema, pointer
        self._work = 0

    def judgement(self, assumed: Mapping[tuple[str, str], bool]) -> Judgement:
        """What is decided under these answers."""
        try:
            return self._judge_assuming(assumed)
        except _TooMuch:
            return Judgement(None, "its patterns and texts are too long")
        except RecursionError:
            return Judgement(None, "it is nested too deeply")
        except SchemaError as problem:
            return Judgement(None, str(problem))
        except _Unknown as unknown:
            question = unknown.question
            if len(assumed) < _MOST_UNKNOWN:
                yes = self.judgement({**assumed, question: True})
                no = self.judgement({**assumed, question: False})
                if yes.accepts is no.accepts:
                    return no
            return Judgement(None, _unanswered(question[0]))

    def _judge_assuming(self, assumed: Mapping[tuple[str, str], bool]) -> Judgement:
        def answer(pattern: str, text: str) -> bool:
            assumption = assumed.get((pattern, text))
            if assumption is not None:
                return assumption
            self._work += len(pattern) + len(text)
            if self._work > _MOST_WORK:
                raise _TooMuch
            matches = is_found(pattern, text)
            if matches is None:
                raise _Unknown((pattern, text))
            return matches

        compiler = _BuildCompiler(self._document, answer, assumed)
        node = compiler.node(self._schema, self._pointer)
        if node.test(self._value):
            return Judgement(True)
        findings: list[Finding] = []
        node.collect(self._value, None, findings)
        return Judgement(False, violation(findings[0]).message.removeprefix("input: "))


class _BuildCompiler(Compiler):
    """Compiles a schema for one value: runs no pattern, and need not know every reference."""

    def __init__(
        self,
        document: JsonObject,
        answer: Callable[[str, str], bool],
        assumed: Mapping[tuple[str, str], bool],
    ) -> None:
        super().__init__(document, {})
        self._references = _OpenReferences(document, self.draft7)
        self._answer, self._assumed = answer, assumed

    def searcher(self, pattern: str) -> Search:
        """Return what asks whether a pattern is found in a text."""
        return lambda text: True if self._answer(pattern, text) else None

    def node(self, schema: Any, pointer: str) -> Node:
        """Return the node of a subschema; one of another document is unknown."""
        if is_object(schema) and _ELSEWHERE in schema:
            return self._unknown((str(schema[_ELSEWHERE]), ""))
        return super().node(schema, pointer)

    def _unknown(self, question: tuple[str, str]) -> Node:
        def test(value: object) -> bool:
            assumption = self._assumed.get(question)
            if assumption is None:
                raise _Unknown(question)
            return assumption

        def collect(value: object, path: Any, findings: list[Finding]) -> None:
            if not test(value):
                findings.append((path, "$ref", question[0], value, ""))

        return Node(test, collect)


class _OpenReferences(Targets):
    """References of which some lead out of the document: to entities that are not made yet."""

    def resolve(self, schema: Mapping[str, Any], pointer: str) -> tuple[Any, str]:
        """Return what the `$ref` of a schema names, and its pointer."""
        try:
            return super().resolve(schema, pointer)
        except SchemaError:
            return {_ELSEWHERE: schema["$ref"]}, f"{pointer}/$ref"


def _unanswered(question: str) -> str:
    if question.startswith("#"):
        return f"the default stands within the schema of `{question.split('/')[-1]}`"
    return f"`{question}` cannot be searched in bounded time"

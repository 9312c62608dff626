"""Select the tools of a target, write their descriptions, and find where a part of one stands."""

from __future__ import annotations

import re
from collections.abc import Collection

from brimgen.diagnostics import Span
from brimgen.emit.account import Loss, Recovery
from brimgen.emit.projection.describe_keywords import described
from brimgen.emit.projection.profiles import Profile
from brimgen.model.catalog import (
    Body,
    Catalog,
    PythonBody,
    SqlBody,
    Tool,
)
from brimgen.model.http import HttpBody, template_text
from brimgen.model.types import Field, ListType, MapType, NullableType, RecordType, Type
from brimgen_runtime.schema.json_pointer import steps_of

CALLABLE: tuple[type[Body], ...] = (SqlBody, PythonBody, HttpBody)
"""The kinds that a model calls; resources are read and templates are filled in instead."""


def target_tools(
    catalog: Catalog, target: str, kinds: tuple[type[Body], ...] | None = None
) -> tuple[Tool, ...]:
    """Return the enabled tools of ``kinds`` (None: all) that do not leave ``target`` out, by
    name.
    """
    selected = [
        tool
        for tool in catalog.tools
        if tool.enabled
        and (tool.targets is None or target in tool.targets)
        and (kinds is None or isinstance(tool.body, kinds))
    ]
    return tuple(sorted(selected, key=lambda tool: tool.name))


CONFIRMED = "A person is asked to confirm each call."
_TERMS = (
    ("calls_per_minute", "At most {} calls a minute"),
    ("max_request_bytes", "Requests of at most {} bytes"),
    ("max_response_bytes", "Results of at most {} bytes"),
    ("max_retries", "At most {} retries"),
    ("timeout", "At most {:g} seconds"),
)


def call_terms(catalog: Catalog, tool: Tool) -> tuple[str, ...]:
    """Return in words what holds for calls of a tool: who confirms them, and what they may take.

    The limits of its bundle are told too, where the tool has none that is as narrow.
    """
    bundles = [each.limits for each in catalog.bundles if each.name == tool.bundle]
    terms: list[str] = []
    if tool.confirm is not None:
        question = tool.confirm.question
        asked = "" if question is None else f" ({template_text(question)})"
        terms.append(f"{CONFIRMED.removesuffix('.')}{asked}")
    for name, words in _TERMS:
        own, *shared = (getattr(each, name) for each in (tool.limits, *bundles))
        if own is not None:
            terms.append(words.format(own))
        if shared and shared[0] is not None and (own is None or shared[0] < own):
            suffix = f", for the bundle {tool.bundle} together" * (name == _TERMS[0][0])
            terms.append(f"{words.format(shared[0])}{suffix}")
    return tuple(terms)


def full_description(
    tool: Tool, notes: Collection[str] = (), *, after: str | None = None
) -> str | None:
    """Return the description of a tool for a model: description, when to use it, ``after``, and
    phrases of its projection.
    """
    text = tool.description
    if tool.when_to_use or after or tool.confirm:
        asks = CONFIRMED if tool.confirm else None
        parts = [text, usage(tool.when_to_use), after, asks]
        text = " ".join([part.rstrip() for part in parts if part])
    return described(text, notes)


def usage(when_to_use: str | None) -> str | None:
    """Return ``when_to_use`` as a sentence: ``Use when …`` (descriptors.md)."""
    text = (when_to_use or "").strip()
    if not text:
        return None
    if text.casefold().startswith("when "):
        text = f"Use w{text[1:]}"
    elif not text.casefold().startswith(("use ", "do not use ", "don't use ")):
        first = text[0].lower() if text[1:2].islower() or text[1:2] == " " else text[0]
        text = f"Use when {first}{text[1:]}"
    return text if text[-1] in ".!?" else f"{text}."


SHORT_DESCRIPTION = "x-short-description"


def shorten_description(
    tool: Tool, full: str | None, limit: int, profile: Profile
) -> tuple[str | None, tuple[Loss, ...]]:
    """Cut ``full`` to ``limit`` characters; also return the loss if it is longer.

    The author's own short text (``x-short-description``) replaces it where there is one.
    """
    if full is None or len(full) <= limit:
        return full, ()
    short = tool.extensions.get(SHORT_DESCRIPTION)
    text = short if isinstance(short, str) and short.strip() else full
    text = shortened(text, limit)
    recovery = Recovery.TEXT if text == short else Recovery.NONE
    loss = Loss(tool.name, "", "description", full, profile.name, recovery, "tool")
    return text, (loss,)


def shortened(text: str, limit: int) -> str:
    """Cut ``text`` to ``limit`` characters: to whole sentences if any, else to words and ``…``."""
    if len(text) <= limit:
        return text
    ends = [match.end() for match in re.finditer(r"[.!?](?=\s)|\n", text[: limit + 1])]
    whole = [end for end in ends if end <= limit]
    if whole and whole[-1] >= limit // 2:
        return text[: whole[-1]].rstrip()
    words = text[: limit - 1].rsplit(None, 1)[0]
    return f"{words.rstrip()}…"


def span_at(tool: Tool, pointer: str) -> Span:
    """Return the place in the spec of what ``pointer`` names in the input schema, or of what
    holds it.
    """
    span, fields = tool.span, tool.fields
    names = steps_of(pointer)
    for step in names:
        if step != "properties":
            continue
        name = next(names, "")
        holder = next((field for field in fields if field.name == name), None)
        if holder is None:
            break
        span, fields = holder.span, _fields_within(holder.type)
    return span


def _fields_within(type: Type) -> tuple[Field, ...]:
    match type:
        case RecordType(fields=fields):
            return fields
        case ListType(item=inner) | MapType(value=inner) | NullableType(inner=inner):
            return _fields_within(inner)
        case _:
            return ()

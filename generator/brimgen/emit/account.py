"""The descriptors that a target makes of tools, and what they leave out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from functools import wraps
from typing import NamedTuple, TypeVar

from brimgen.frozen import dataclass, field
from brimgen.model.catalog import Catalog
from brimgen.model.json import Json, JsonObject


class Recovery(StrEnum):
    """What makes up for a keyword that a descriptor does not carry.

    ``TEXT``: the description says it, and the decoder enforces it. ``DECODER``: only the
    decoder enforces it. ``KEYWORD``: another keyword says the same. ``NARROWED``: the descriptor
    admits less than the decoder, so nothing is to be recovered. ``ANNOTATION``: it decides
    nothing and tells a caller nothing. ``RESULT``: it is about the result, which shows it.
    ``ALIAS``: the descriptor has another name for it, which generated code turns back.
    ``NONE``: it is lost.
    """

    TEXT = "text"
    DECODER = "decoder"
    KEYWORD = "keyword"
    NARROWED = "narrowed"
    ANNOTATION = "annotation"
    RESULT = "result"
    ALIAS = "alias"
    NONE = "none"


class Loss(NamedTuple):
    """One keyword of a canonical schema that a profile does not carry.

    ``pointer`` is the JSON Pointer of the schema that holds it, in the canonical schema with
    its references followed; ``part`` is the schema: ``input``, ``output``, or ``tool`` for what
    is said of the tool itself.
    """

    tool: str
    pointer: str
    keyword: str
    value: Json
    profile: str
    recovered_by: Recovery
    part: str = "input"

    @property
    def path(self) -> str:
        """The pointer within the tool as a whole: ``/input/properties/limit``."""
        return f"/{self.part}{self.pointer}"


def as_losses_of(profile: str, losses: Iterable[Loss]) -> tuple[Loss, ...]:
    """Return ``losses`` as those of ``profile``, whichever profile expressed the tool."""
    return tuple([loss._replace(profile=profile) for loss in losses])


@dataclass(frozen=True, slots=True)
class Descriptor:
    """What one profile's file says of one tool.

    ``aliases`` are names of properties as it says them, with the names that the tool has.
    """

    profile: str
    tool: str
    json: JsonObject
    aliases: Mapping[str, str] = field(default_factory=dict[str, str])


_Result = TypeVar("_Result")


def once_per_catalog(
    make: Callable[[Catalog], _Result],
) -> Callable[[Catalog], _Result]:
    """Cache the result of ``make`` for the last catalog, as several stages ask for it."""
    last_result: list[tuple[Catalog, _Result]] = []

    @wraps(make)
    def ask(catalog: Catalog) -> _Result:
        for last_catalog, result in last_result:
            if last_catalog is catalog:
                return result
        result = make(catalog)
        last_result[:] = [(catalog, result)]
        return result

    return ask

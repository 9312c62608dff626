"""Remember what the `jsonschema` library says of parts of values.

Calls at the edges of a schema differ in one argument each; all others have been judged before. So
the keywords that lead into a value ask about each part of it once. Only the verdict is kept: for
the reasons the library is asked as it is.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from jsonschema import ValidationError

from brimgen.agreement.schema_parts import objects_in
from brimgen.model.json import is_list, is_object

_DYNAMIC = ("$dynamicRef", "$recursiveRef")
_MOST = 200_000
_Keyword = Callable[[Any, Any, Any, Any], Iterator[ValidationError]]


class Verdicts:
    """What is known of the parts of ``schema``, and of values for them."""

    def __init__(self, schema: Any) -> None:
        self._known: dict[tuple[int, bytes], bool] = {}
        self._schema = schema
        # Parts that are put together for a question do not last, and their ids come again.
        self._lasting = {id(part) for part in objects_in(schema)}

    def keywords(self) -> Mapping[str, _Keyword]:
        """The keywords of the library that are asked through this memory.

        None where the meaning of a part depends on what led to it.
        """
        if any(word in part for part in objects_in(self._schema) for word in _DYNAMIC):
            return {}
        return {
            "properties": self._properties,
            "items": self._items,
            "anyOf": self._any_of,
            "oneOf": self._one_of,
            "allOf": self._all_of,
        }

    def _holds(self, validator: Any, schema: Any, value: Any) -> bool:
        if isinstance(schema, bool):
            return schema
        if id(schema) not in self._lasting:
            return next(iter(validator.descend(value, schema)), None) is None
        key = id(schema), marshal.dumps(value, 0)
        verdict = self._known.get(key)
        if verdict is None:
            verdict = next(iter(validator.descend(value, schema)), None) is None
            if len(self._known) < _MOST:
                self._known[key] = verdict
        return verdict

    def _properties(
        self, validator: Any, properties: Any, value: Any, schema: Any
    ) -> Iterator[ValidationError]:
        if is_object(value):
            for name, part in properties.items():
                if name in value and not self._holds(validator, part, value[name]):
                    yield ValidationError(f"{name} is not right")
                    return

    def _items(
        self, validator: Any, items: Any, value: Any, schema: Any
    ) -> Iterator[ValidationError]:
        if not is_list(value):
            return
        if is_list(items):  # draft 07: a schema for each place
            pairs = zip(items, value, strict=False)
            is_right = all(self._holds(validator, *pair) for pair in pairs)
        else:
            knows_prefix = "prefixItems" in validator.VALIDATORS
            first = len(schema.get("prefixItems", ())) if knows_prefix else 0
            rest = value[first:]
            is_right = all(self._holds(validator, items, item) for item in rest)
        if not is_right:
            yield ValidationError("an item is not right")

    def _any_of(
        self, validator: Any, parts: Any, value: Any, schema: Any
    ) -> Iterator[ValidationError]:
        if not any(self._holds(validator, part, value) for part in parts):
            yield ValidationError("none is right")

    def _one_of(
        self, validator: Any, parts: Any, value: Any, schema: Any
    ) -> Iterator[ValidationError]:
        if sum(self._holds(validator, part, value) for part in parts) != 1:
            yield ValidationError("not one is right")

    def _all_of(
        self, validator: Any, parts: Any, value: Any, schema: Any
    ) -> Iterator[ValidationError]:
        if not all(self._holds(validator, part, value) for part in parts):
            yield ValidationError("not all are right")

"""JSON values as the model holds them: read-only, never changed after they are made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from brimgen_runtime.grammar.schema_parts import Json as Json
from brimgen_runtime.grammar.schema_parts import is_object as is_object
from brimgen_runtime.schema.json_values import is_list as is_list

JsonObject: TypeAlias = Mapping[str, Json]

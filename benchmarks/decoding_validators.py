"""The peers that say yes or no by the published schema, formats asserted, and make no objects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import fastjsonschema
import jsonschema
import jsonschema_rs
from decoding_peers import Run


def fastjsonschema_run(schema: Mapping[str, Any]) -> Run:
    """The function that fastjsonschema generates."""
    run: Run = fastjsonschema.compile(schema)
    return run


def rust_run(schema: Mapping[str, Any]) -> Run:
    """``jsonschema_rs``: raises at the first mistake."""
    return jsonschema_rs.validator_for(schema, validate_formats=True).validate


def jsonschema_run(schema: Mapping[str, Any]) -> Run:
    """``jsonschema``: all mistakes, as ours."""
    kind = jsonschema.Draft202012Validator
    checker = kind(schema, format_checker=kind.FORMAT_CHECKER)

    def run(call: Any) -> None:
        found = list(checker.iter_errors(call))
        if found:
            raise found[0]

    return run

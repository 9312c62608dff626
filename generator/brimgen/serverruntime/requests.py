"""Requests: the module of an HTTP tool called with its input, context and client."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from .outcomes import value_of


def run_request(
    package: str,
    module: str,
    call: Any,
    context: object,
    client: Mapping[str, Any],
) -> Any:
    """Return the JSON that a tool of ``package`` got back; raises `outcomes.Failing`.

    ``client`` are the keywords of the module's ``invoke``: secrets, transport, options.
    """
    found = import_module(module, package)
    outcome = found.invoke(call, context, **client)
    value_of(found.PLAN.tool, outcome)
    return outcome.json

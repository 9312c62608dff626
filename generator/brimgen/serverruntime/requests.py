"""Call the module of an HTTP tool with its input, context and client."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .outcomes import value_of
from .setup import Setup


def run_request(
    package: str,
    module: str,
    call: Any,
    context: object,
    setup: Setup,
) -> Any:
    """Return the JSON that a tool of ``package`` got back; raises `outcomes.Failing`."""
    found = import_module(module, package)
    outcome = found.invoke(call, context, **setup.client)
    value_of(found.PLAN.tool, outcome, tells_body=setup.error_bodies)
    return outcome.json

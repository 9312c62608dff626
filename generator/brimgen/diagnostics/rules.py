"""Every rule of docs/diagnostics.md, by its reason: ``rules.UNKNOWN_KEY`` is ``unknown-key``."""

from __future__ import annotations

from brimgen.diagnostics.catalogue import RULES
from brimgen.diagnostics.rule import Rule

_BY_NAME = {rule.reason.upper().replace("-", "_"): rule for rule in RULES}


def __getattr__(name: str) -> Rule:
    """The rule of a reason. Raises AttributeError where the page has no such reason."""
    try:
        return _BY_NAME[name]
    except KeyError:
        raise AttributeError(f"no reason `{name}` in docs/diagnostics.md") from None

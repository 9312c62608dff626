"""The handbook."""

from __future__ import annotations

from shop.handlers import NotFound
from shop.tools.handbook_page import HandbookPageBound

_PAGES = {
    (
        "service",
        "returns/how-to",
    ): "# Returns\n\nWithin 30 days, whatever the reason.\n",
    ("service", "complaints"): "# Complaints\n\nBe kind, brief and concrete.\n",
}


def page(call: HandbookPageBound) -> str:
    """The text of a page, in Markdown."""
    text = _PAGES.get((call.category, call.page))
    if text is None:
        raise NotFound(f"there is no page {call.page} in {call.category}")
    return text

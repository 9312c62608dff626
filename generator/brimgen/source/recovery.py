"""YAML text in, the roots of its documents out: all that can be read, also behind a mistake."""

from __future__ import annotations

import re
from collections.abc import Iterator

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules.source import NOT_A_MAPPING
from brimgen.regex import regex
from brimgen.source.entries import kind_of
from brimgen.source.event_places import EventPlaces
from brimgen.source.events import YamlFailure
from brimgen.source.nodes import MapNode
from brimgen.source.places import Places
from brimgen.source.tree import OverBudget, trees
from brimgen.source.yaml_failures import report

_NEXT_DOCUMENT = regex(r"^---(?:[ \t].*)?$", re.MULTILINE)
_MOST_RESTARTS = 20


def roots(whole: Places, found: Diagnostics) -> Iterator[MapNode | None]:
    """The mappings of a YAML text, None for what is none or cannot be read.

    Behind a broken document it goes on with the next one.
    """
    text, begun = whole.text, 0
    for _ in range(_MOST_RESTARTS):
        places = EventPlaces(whole.file, text)
        stopped = 0
        try:
            for root in trees(places, found):
                if isinstance(root, MapNode):
                    yield root
                elif root is not None:
                    found.add(NOT_A_MAPPING, root.span, kind=kind_of(root))
                    yield None
            return
        except YamlFailure as failure:
            report(failure, places, found)
            stopped = failure.place[0]
        except OverBudget as stop:
            stopped = stop.line - 1
        yield None
        reached = max(begun, stopped)
        offset = sum(len(each) + 1 for each in places.lines[:reached])
        following = _NEXT_DOCUMENT.search(text, min(offset, len(text)))
        if following is None:
            return
        begun = text.count("\n", 0, following.start())
        text = "\n" * begun + text[following.start() :]
        begun += 1

"""Nodes: what is said of one by its parts, and by one that was copied."""

from __future__ import annotations

import copy
import pickle

from brimgen.diagnostics import Span, TextBlock
from brimgen.source.nodes import ScalarNode

_SPAN = Span("a.yaml", 2, 3, 2, 9)


def test_the_parts_of_a_scalar() -> None:
    lines = TextBlock("1.10", _SPAN)
    node = ScalarNode(_SPAN, "1.10", 1.1, True, lines)
    assert (_SPAN, "1.10", 1.1, True, lines) == (
        node.span,
        node.text,
        node.value,
        node.quoted,
        node.lines,
    )
    plain = ScalarNode(_SPAN, "a", "a")
    assert (False, None) == (plain.quoted, plain.lines)


def test_scalars_are_alike_where_they_stand_alike() -> None:
    node = ScalarNode(_SPAN, "a", "a")
    assert ScalarNode(Span(*_SPAN), "a", "a") == node
    assert ScalarNode(Span("a.yaml", 2, 3, 3, 9), "a", "a") != node


def test_a_scalar_that_was_copied_is_the_same() -> None:
    node = ScalarNode(_SPAN, "a", "a", True)
    for each in (
        copy.copy(node),
        copy.deepcopy(node),
        pickle.loads(pickle.dumps(node)),
    ):
        assert node == each
        assert type(each) is ScalarNode
    assert ScalarNode(_SPAN, "b", "a", True) == node._replace(text="b")

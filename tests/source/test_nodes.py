"""Nodes: what is said of one by its parts, and by one that was copied."""

from __future__ import annotations

import copy
import pickle

from brimgen.diagnostics import Span, TextBlock
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode

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


def test_where_lists_and_mappings_stand() -> None:
    item = ScalarNode(_SPAN, "a", "a")
    outer = Span("a.yaml", 2, 1, 4, 1)
    assert (_SPAN, (item,)) == (
        ListNode(_SPAN, (item,)).span,
        ListNode(_SPAN, (item,)).items,
    )
    assert outer == MapNode(outer, (Entry(item, ListNode(_SPAN, ())),)).span
    assert ListNode(_SPAN, (item,)) != ListNode(outer, (item,))
    assert ListNode(_SPAN, ()) != MapNode(_SPAN, ())
    assert hash(ListNode(_SPAN, (item,))) == hash(ListNode(Span(*_SPAN), (item,)))


def test_a_node_that_was_copied_is_the_same() -> None:
    node = ScalarNode(_SPAN, "a", "a", True)
    every: tuple[Node, ...] = (
        node,
        ListNode(_SPAN, (node,)),
        MapNode(_SPAN, (Entry(node, node),)),
    )
    for one in every:
        for each in (
            copy.copy(one),
            copy.deepcopy(one),
            pickle.loads(pickle.dumps(one)),
        ):
            assert one == each
            assert type(one) is type(each)
    assert ScalarNode(_SPAN, "b", "a", True) == node._replace(text="b")

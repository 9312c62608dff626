"""Whatever stands in a document, parsing ends with declarations and reports, never with a raise."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from brimgen.diagnostics import Diagnostics, Severity, Span, TextBlock
from brimgen.source.document import Document, SourceFile
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode
from brimgen.syntax.decls import SpecSet
from brimgen.syntax.documents import BUNDLE_TYPE, LEAF_TYPE, parse
from brimgen.syntax.json_schema import KEYWORDS
from brimgen.syntax.keys import ENTITY, ENTRY, TOOLS
from brimgen.syntax.tools import TOOL_TYPES

WORDS = sorted(
    {
        *ENTRY,
        *ENTITY,
        *KEYWORDS,
        *(key for keys in TOOLS.values() for key in keys),
        *("entity_ref", "omit", "mode", "role", "content", "read_only", "_meta", "x-a"),
    }
)
VALUES = sorted(
    {
        *TOOL_TYPES,
        BUNDLE_TYPE,
        LEAF_TYPE,
        *("string", "object", "array"),
        *("entity", "int[]", "T?", "array<int>", "int?[]", "[]", "complex", "standard"),
        *(
            "<user>\na\n</user>",
            "<system>a",
            "{# x #}",
            "q.sql",
            "../q.sql",
            "yes",
            "1.10",
        ),
    }
)
texts = st.text(max_size=12)
lines = st.integers(1, 9)


@st.composite
def spans(draw: st.DrawFn) -> Span:
    line, column = draw(lines), draw(lines)
    return Span("specs/a.yaml", line, column, line + draw(st.integers(0, 2)), column)


@st.composite
def scalars(draw: st.DrawFn) -> ScalarNode:
    text = draw(st.sampled_from(VALUES) | texts)
    value = draw(
        st.just(text)
        | st.none()
        | st.booleans()
        | st.integers(-3, 9**20)
        | st.floats(allow_nan=True, allow_infinity=True)
    )
    return ScalarNode(draw(spans()), text, value, draw(st.booleans()))


@st.composite
def mappings(draw: st.DrawFn, values: st.SearchStrategy[Node]) -> MapNode:
    keys = draw(st.lists(st.sampled_from(WORDS) | texts, max_size=6, unique=True))
    entries = (Entry(ScalarNode(draw(spans()), key, key), draw(values)) for key in keys)
    return MapNode(draw(spans()), tuple(entries))


@st.composite
def lists(draw: st.DrawFn, items: st.SearchStrategy[Node]) -> ListNode:
    return ListNode(draw(spans()), tuple(draw(st.lists(items, max_size=3))))


nodes: st.SearchStrategy[Node] = st.recursive(
    scalars(),
    lambda inner: st.one_of(
        mappings(inner),
        lists(inner),
    ),
    max_leaves=25,
)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    root = draw(mappings(nodes))
    kind = draw(st.sampled_from(["entity", LEAF_TYPE, BUNDLE_TYPE, *TOOL_TYPES]))
    named = {each.key.text for each in root.entries}
    head = {"type": kind, "name": draw(st.sampled_from(["probe", "Probe", "a b"]))}
    entries = tuple(
        Entry(ScalarNode(root.span, key, key), ScalarNode(root.span, text, text))
        for key, text in head.items()
        if key not in named and draw(st.booleans() | st.just(True))
    )
    name = draw(
        st.sampled_from(["specs/a.yaml", "specs/a.sql", "specs/b/a.md", "q.sql"])
    )
    body = draw(st.none() | texts | st.sampled_from(VALUES))
    span = Span(name, 1, 1, 9, 9)
    return Document(
        SourceFile(name, name, ""),
        MapNode(root.span, (*entries, *root.entries)),
        None if body is None else TextBlock(body, span, exact=False),
        is_bare=draw(st.booleans()) and name.endswith(".sql") and body is not None,
    )


def run(given_documents: list[Document]) -> tuple[SpecSet, Diagnostics]:
    diagnostics = Diagnostics()
    return parse(given_documents, diagnostics), diagnostics


@given(st.lists(documents(), max_size=3))
def test_parsing_never_raises(given_documents: list[Document]) -> None:
    specs, found = run(given_documents)
    again, told = run(given_documents)
    assert specs == again
    assert list(found) == list(told)
    declared = [*specs.tools, *specs.entities, *specs.leaves, *specs.bundles]
    assert len(declared) <= len(given_documents)
    if not found.has_errors:
        bare = sum(each.is_bare for each in given_documents)
        assert len(given_documents) == len(declared) + bare
        assert all(each.sound for each in declared)
    if not all(each.sound for each in declared):
        assert found.has_errors


@given(documents())
def test_what_is_sound_was_not_told_of(document: Document) -> None:
    specs, found = run([document])
    errors = [each for each in found if each.rule.severity is Severity.ERROR]
    for tool in specs.tools:
        assert tool.sound == (not errors)
    for entity in specs.entities:
        body = {"body-not-used"}
        assert entity.sound == (not [e for e in errors if e.rule.reason not in body])


@given(st.text(max_size=60) | st.text(alphabet="<>/user \n{#}system", max_size=80))
def test_templates_of_any_text(text: str) -> None:
    name = "specs/a.md"
    starts = tuple((row + 1, 1) for row in range(text.count("\n") + 1))
    last = len(text) - (text.rfind("\n") + 1)
    body = TextBlock(text, Span(name, 1, 1, len(starts), last + 1), starts)
    entries = (
        Entry(ScalarNode(body.span, "name", "name"), ScalarNode(body.span, "a", "a")),
    )
    file = SourceFile(name, name, text)
    specs, found = run([Document(file, MapNode(body.span, entries), body)])
    [tool] = specs.tools
    if not found.has_errors:
        assert (tool.body is None) == bool(tool.messages)
    lines_of_file = text.split("\n")
    for _, block in tool.messages:
        for offset in range(len(block.text)):
            place = block.span_at(offset, offset + 1)
            if block.text[offset] != "\n":
                line = lines_of_file[place.line - 1]
                assert block.text[offset] == line[place.column - 1]

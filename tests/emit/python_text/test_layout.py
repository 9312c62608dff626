"""The layout of pieces: what black makes of them, of any shape and at any width."""

from __future__ import annotations

import black
from hypothesis import given
from hypothesis import strategies as st

from brimgen.emit.code import Code
from brimgen.emit.python_text import layout, pieces, statements

WORDS = st.sampled_from([1, 3, 5, 8, 13, 21, 34, 55]).flatmap(
    lambda size: st.sampled_from("abcxyz").map(lambda each: Code(each * size))
)
TEXTS = st.sampled_from(
    [
        " if ",
        " else ",
        " for x in ",
        " or ",
        " not in ",
        " = ",
        "(",
        ")",
        "[",
        "}",
        "# ",
        "a",
    ]
)
LITERALS = st.one_of(
    st.integers(0, 10**9),
    st.lists(TEXTS, max_size=8).map("".join),
    st.lists(st.one_of(st.integers(0, 99), TEXTS), max_size=3),
    st.dictionaries(TEXTS, st.integers(0, 9), max_size=3),
).map(pieces.literal)
SIGNS = st.sampled_from(["==", "!=", "<", "<=", "in", "not in", "is", "is not"])


def _grown(inner: st.SearchStrategy[Code]) -> st.SearchStrategy[Code]:
    some = st.lists(inner, min_size=1, max_size=4)
    simple = st.one_of(WORDS, LITERALS)
    # black takes the parentheses of a sole item away.
    items = st.one_of(
        st.lists(inner, min_size=2, max_size=4),
        st.lists(simple, min_size=1, max_size=1),
    )
    return st.one_of(
        st.builds(lambda f, a: pieces.call(f, *a), WORDS, st.lists(inner, max_size=4)),
        st.builds(
            lambda f, a: pieces.call(Code("self.a.b"), *a),
            WORDS,
            st.lists(inner, max_size=4),
        ),
        st.builds(
            lambda f, a, k: pieces.call(f, a, pieces.keyword("key", k)),
            WORDS,
            inner,
            inner,
        ),
        st.builds(lambda f, a: pieces.spread(f, *a), WORDS, some),
        st.builds(lambda f, a: pieces.subscript(f, a), WORDS, inner),
        st.builds(
            lambda f, a: pieces.call(pieces.attribute(pieces.call(f, a), "values")),
            WORDS,
            inner,
        ),
        st.builds(pieces.listed, items),
        st.builds(pieces.set_of, items),
        st.builds(pieces.tuple_of, some),
        st.builds(lambda k, v: pieces.mapping([(k, v)]), simple, inner),
        st.builds(
            lambda a, b, c: pieces.grouped(pieces.conditional(a, b, c)),
            inner,
            inner,
            inner,
        ),
        st.builds(
            lambda f, a, b, c: pieces.call(f, pieces.conditional(a, b, c)),
            WORDS,
            simple,
            simple,
            inner,
        ),
        st.builds(
            lambda a, b: pieces.listed([pieces.conditional(a, b, b)]), simple, inner
        ),
        st.builds(
            lambda a: pieces.grouped(pieces.all_of(a)),
            st.lists(simple, min_size=2, max_size=4),
        ),
        st.builds(
            lambda a: pieces.grouped(pieces.any_of(a)),
            st.lists(inner, min_size=2, max_size=4),
        ),
        st.builds(
            lambda a, s, b: pieces.grouped(pieces.compared(a, s, b)),
            inner,
            SIGNS,
            inner,
        ),
        st.builds(lambda a, b: pieces.list_of(a, "each", b), inner, inner),
        st.builds(
            lambda a, b: pieces.mapping_of(Code("key"), a, "key, each", b), inner, inner
        ),
        st.builds(lambda a: pieces.grouped(pieces.negated(a)), inner),
        st.builds(
            lambda f, a, b: pieces.call(f, pieces.generated(a, "each", b)),
            WORDS,
            inner,
            simple,
        ),
    )


EXPRESSIONS = st.recursive(st.one_of(WORDS, LITERALS), _grown, max_leaves=12)
TESTS = st.one_of(
    EXPRESSIONS,
    st.builds(pieces.all_of, st.lists(EXPRESSIONS, min_size=2, max_size=4)),
    st.builds(pieces.any_of, st.lists(EXPRESSIONS, min_size=2, max_size=3)),
    st.builds(pieces.compared, EXPRESSIONS, SIGNS, EXPRESSIONS),
    st.builds(pieces.negated, EXPRESSIONS),
    st.builds(pieces.conditional, EXPRESSIONS, EXPRESSIONS, EXPRESSIONS),
)
TYPES = st.recursive(
    WORDS,
    lambda inner: st.one_of(
        st.builds(
            lambda f, a: pieces.subscript(f, *a),
            WORDS,
            st.lists(inner, min_size=1, max_size=3),
        ),
        st.builds(
            lambda a: pieces.subscript(Code("Literal"), *map(pieces.literal, a)),
            st.lists(TEXTS, min_size=1, max_size=5),
        ),
        st.builds(pieces.either, st.lists(inner, min_size=2, max_size=3)),
    ),
    max_leaves=5,
)
# Of a result that is wide and has two keys at once, black is done only the second time.
RESULTS = st.recursive(
    WORDS,
    lambda inner: st.one_of(
        st.builds(pieces.subscript, WORDS, inner),
        st.builds(pieces.either, st.lists(inner, min_size=2, max_size=3)),
    ),
    max_leaves=4,
)
PARAMETERS = st.one_of(
    st.just(Code("self")),
    st.builds(statements.parameter, WORDS, TYPES),
    st.builds(statements.parameter, WORDS, TYPES, LITERALS),
)
TARGETS = st.one_of(
    WORDS,
    st.builds(lambda a: Code(f"made.{a}"), WORDS),
    st.builds(lambda a: pieces.subscript(Code("found"), a), LITERALS),
)
STATEMENTS = st.one_of(
    EXPRESSIONS.filter(lambda each: each[0] not in "\"'"),
    st.builds(statements.assigned, TARGETS, TESTS),
    st.builds(statements.assigned, WORDS, TESTS, TYPES),
    st.builds(statements.declared, WORDS, TYPES),
    st.builds(statements.returned, TESTS),
    st.builds(statements.raised, EXPRESSIONS),
    st.builds(statements.when, TESTS),
    st.builds(statements.for_each, st.just("key, each"), TESTS),
    st.builds(lambda a: statements.for_each("each", a), TESTS),
    st.builds(
        statements.function,
        WORDS,
        st.lists(PARAMETERS, max_size=3),
        RESULTS,
        is_async=st.booleans(),
    ),
)
MODE = black.Mode(target_versions={black.TargetVersion.PY311})


def _as_black(statement: str, indent: int) -> str:
    """What black makes of a statement at a column."""
    heads = "".join(f"{' ' * each}if True:\n" for each in range(0, indent, 4))
    body = f"{' ' * (indent + 4)}pass\n" if statement.endswith(":") else ""
    text = black.format_str(f"{heads}{' ' * indent}{statement}\n{body}", mode=MODE)
    lines = [each for each in text.splitlines() if each][indent // 4 :]
    return "\n".join(lines[:-1] if body else lines)


def _check(statement: Code, indent: int) -> None:
    made = layout.laid_out(statement, indent)
    shown = f"{' ' * indent}{made}"
    again = _as_black(made, indent)
    if again != shown:
        # black itself is not always done at once.
        assert again != _as_black(again.lstrip(" "), indent)


@given(STATEMENTS, st.sampled_from([0, 4, 8, 12]))
def test_layout_is_what_black_makes_of_it(statement: Code, indent: int) -> None:
    _check(statement, indent)


def test_choices_behind_a_long_name_keep_their_spaces() -> None:
    name = Code("a" * 80)
    choices = pieces.subscript(Code("Literal"), *map(pieces.literal, (1, 2, -3)))
    default = pieces.call(Code("field"), pieces.keyword("default", pieces.literal(2)))
    for statement in (
        statements.declared(name, choices),
        statements.assigned(name, default, choices),
    ):
        assert "Literal[1, 2, -3]" in layout.laid_out(statement, 4)
        _check(statement, 4)

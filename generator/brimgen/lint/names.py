"""Check for names that a model confuses or learns nothing from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from brimgen.diagnostics import Note, rules
from brimgen.lint.arguments import Argument, exported_tools
from brimgen.lint.finding import Finding
from brimgen.lint.options import Scope
from brimgen.lint.word_comparison import (
    base_form,
    deletions,
    differ_by_one_letter,
    sorted_meaning,
    words_of,
)
from brimgen.model.catalog import Catalog
from brimgen.model.lint import Subject

_SHORTEST_SLIP = 6
_LongWord: TypeAlias = tuple[tuple[str, ...], str]
"""A long word of a name: the words around it, and itself."""
_VAGUE = frozenset(
    [
        "arg",
        "args",
        "argument",
        "arguments",
        "data",
        "foo",
        "bar",
        "info",
        "input",
        "inputs",
        "misc",
        "obj",
        "object",
        "option",
        "options",
        "param",
        "parameter",
        "parameters",
        "params",
        "payload",
        "stuff",
        "temp",
        "thing",
        "things",
        "tmp",
        "val",
        "value",
        "values",
    ]
)


def check_tool_names(
    catalog: Catalog, arguments: Sequence[Argument], scope: Scope
) -> Iterator[Finding]:
    """Tools whose names say the same (S1.38)."""
    as_read = sorted(exported_tools(catalog), key=lambda tool: tool.span)
    tools = {tool.name: tool for tool in as_read}
    for name, other in similar_pairs(tools):
        yield Finding(
            rule=rules.TOOL_NAMES_ALIKE,
            span=tools[name].span,
            subject=Subject(name, True),
            values={"tool": name, "other": other},
            notes=(Note(tools[other].span, "the other one"),),
        )


def check_argument_names(
    catalog: Catalog, arguments: Sequence[Argument], scope: Scope
) -> Iterator[Finding]:
    """Check for argument names with the same meaning in one tool or entity, and for vague names."""
    for argument in arguments:
        name = argument.field.name
        vague = name.casefold() in _VAGUE or (len(name) == 1 and name.isalpha())
        if vague and not argument.description:
            yield Finding(
                rule=rules.ARGUMENT_NAME_VAGUE,
                span=argument.field.span,
                subject=argument.subject,
                values={"name": name},
            )
    among: dict[tuple[Subject, str], dict[str, Argument]] = {}
    for argument in arguments:
        among.setdefault(_comparison_scope(argument), {})[
            argument.field.name
        ] = argument
    for (owner, _), fields in among.items():
        for name, other in similar_pairs(fields):
            yield Finding(
                rule=rules.ARGUMENT_NAMES_ALIKE,
                span=fields[name].field.span,
                subject=fields[name].subject,
                values={"name": name, "other": other, "owner": owner.owner},
                notes=(Note(fields[other].field.span, "the other one"),),
            )


def _comparison_scope(argument: Argument) -> tuple[Subject, str]:
    """What an argument's name is compared within: its owner, and the path before its last dot."""
    return argument.owner, argument.field.name.rpartition(".")[0]


def similar_pairs(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each name that is easily confused with an earlier one, and the earliest of these.

    They say the same words in another order, number or spelling, or differ by one slip in a long
    word. Numbers tell names apart.
    """
    by_sense: dict[tuple[str, ...], str] = {}
    by_slip: dict[tuple[str, ...], list[tuple[int, str, str]]] = {}
    for number, name in enumerate(names):
        name_words = _name_words(name)
        first = by_sense.setdefault(name_words.sorted_meaning, name)
        joined = by_sense.setdefault((name_words.joined,), name)
        near = None
        for context, word in name_words.long_words:
            # Words that differ by one slip are equal without one letter each.
            keys = {(*context, slip) for slip in deletions(word)}
            similar = [
                earlier[:2]
                for key in keys
                for earlier in by_slip.get(key, ())
                if max(len(word), len(earlier[2])) >= _SHORTEST_SLIP
                and differ_by_one_letter(word, earlier[2])
            ]
            near = near or (min(similar)[1] if similar else None)
            for key in keys:
                by_slip.setdefault(key, []).append((number, name, word))
        like = near or (first if first != name else joined)
        if like != name:
            yield name, like


class _NameWords(NamedTuple):
    """What a name says by its words: in any order and form, written as one, with each long one."""

    sorted_meaning: tuple[str, ...]
    joined: str
    long_words: tuple[_LongWord, ...]


def _name_words(name: str) -> _NameWords:
    spelled = words_of(name)
    words = [base_form(word) for word in spelled]
    long_words = tuple(
        [
            ((*words[:index], "*", *words[index + 1 :]), word)
            for index, word in enumerate(words)
            if len(word) >= _SHORTEST_SLIP - 1 and not word.isdigit()
        ]
    )
    return _NameWords(sorted_meaning(words), "".join(spelled), long_words)

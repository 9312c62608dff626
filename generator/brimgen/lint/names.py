"""Names in, findings about those that a model confuses or learns nothing from out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from brimgen.diagnostics import Note
from brimgen.diagnostics.rules import lint as rules
from brimgen.lint.arguments import Argument, description_of, exported
from brimgen.lint.finding import Finding
from brimgen.lint.options import Limits
from brimgen.lint.words import is_slip, plain, sense, slips, words_of
from brimgen.model.catalog import Catalog
from brimgen.model.lint import Subject

_SHORTEST_SLIP = 6
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
    catalog: Catalog, arguments: Sequence[Argument], limits: Limits
) -> Iterator[Finding]:
    """Tools whose names say the same (S1.38)."""
    as_read = sorted(exported(catalog), key=lambda each: each.span)
    tools = {each.name: each for each in as_read}
    for name, other in alike(tools):
        yield Finding(
            rule=rules.TOOL_NAMES_ALIKE,
            span=tools[name].span,
            subject=Subject(name, True),
            values={"tool": name, "other": other},
            notes=(Note(tools[other].span, "the other one"),),
        )


def check_argument_names(
    catalog: Catalog, arguments: Sequence[Argument], limits: Limits
) -> Iterator[Finding]:
    """Arguments of one tool or entity whose names say the same, and names that say nothing."""
    for argument in arguments:
        name = argument.field.name
        vague = name.casefold() in _VAGUE or (len(name) == 1 and name.isalpha())
        if vague and not description_of(argument.field):
            yield Finding(
                rule=rules.VAGUE_ARGUMENT,
                span=argument.field.span,
                subject=argument.subject,
                values={"name": name},
            )
    for owner, group in groupby(arguments, _owner):
        fields = {each.field.name: each for each in group}
        for name, other in alike(fields):
            yield Finding(
                rule=rules.ARGUMENT_NAMES_ALIKE,
                span=fields[name].field.span,
                subject=fields[name].subject,
                values={"name": name, "other": other, "owner": owner[0]},
                notes=(Note(fields[other].field.span, "the other one"),),
            )


def _owner(argument: Argument) -> tuple[str, bool, str]:
    subject = argument.subject
    return subject.owner, subject.is_tool, subject.path.rpartition(".")[0]


def alike(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Pairs of names that are easily confused, each name once, with the first that it is like.

    They say the same words in another order, number or spelling, or differ by one slip in a long
    word. Numbers tell names apart.
    """
    by_sense: dict[tuple[str, ...], str] = {}
    by_slip: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    for name in names:
        first = by_sense.setdefault(sense(name), name)
        joined = by_sense.setdefault(("".join(words_of(name)),), name)
        near = next((each for each in (first, joined) if each != name), None)
        near = near or _near(name, by_slip)
        if near is not None:
            yield name, near


def _near(
    name: str, by_slip: dict[tuple[str, ...], list[tuple[str, str]]]
) -> str | None:
    """The first name that differs from ``name`` by one slip; notes ``name`` for those to come."""
    words = [plain(each) for each in words_of(name)]
    near = None
    for index, word in enumerate(words):
        if len(word) < _SHORTEST_SLIP - 1 or word.isdigit():
            continue
        rest = (*words[:index], "*", *words[index + 1 :])
        for slip in dict.fromkeys(slips(word)):
            known = by_slip.setdefault((*rest, slip), [])
            for other, spelling in known:
                long = max(len(word), len(spelling)) >= _SHORTEST_SLIP
                if long and is_slip(word, spelling):
                    near = near or other
            known.append((name, word))
    return near

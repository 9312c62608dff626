"""Split names and texts into words, and compare the words that count."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_WORD = re.compile(r"[^\W\d_]+|\d+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_STOP = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "by",
        "for",
        "from",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "of",
        "on",
        "or",
        "s",
        "that",
        "the",
        "this",
        "to",
        "with",
    ]
)
_ENDINGS = ("ing", "es", "s", "ed")
_LAST_OF_ENDINGS = frozenset(ending[-1] for ending in _ENDINGS)
_SAME = {
    word: words[0]
    for words in (
        ("get", "fetch", "retrieve", "read", "load"),
        ("find", "search", "query", "lookup"),
        ("delete", "remove", "erase"),
        ("create", "add", "new"),
        ("update", "edit", "modify", "change"),
        ("id", "identifier"),
    )
    for word in words
}


def words_of(text: str) -> list[str]:
    """The words of a name or sentence, in lower case: ``getUserIDs`` is get, user, ids."""
    apart = text if text.islower() else _HUMP.sub(" ", text)
    if text.isascii():
        return _WORD.findall(apart.lower())
    return [word.casefold() for word in _WORD.findall(apart)]


def base_form(word: str) -> str:
    """Return a word without English plural and verb endings; synonyms have one form."""
    if word[-1:] in _LAST_OF_ENDINGS and not word.endswith(("ss", "us", "is")):
        for ending in _ENDINGS:
            stem = word.removesuffix(ending)
            if stem != word and len(stem) >= 3:
                word = stem if ending != "es" or stem[-1] in "sxzh" else word[:-1]
                break
    return _SAME.get(word, word)


def sorted_meaning(words: Sequence[str]) -> tuple[str, ...]:
    """Return the words that count, sorted: names of equal meaning give equal words."""
    return tuple(sorted([word for word in words if word not in _STOP] or words))


def adds_to(text: str, name: str) -> bool:
    """Return whether ``text`` has a meaningful word that ``name`` does not have."""
    name_forms = {base_form(word) for word in words_of(name)}
    return any(
        word not in _STOP and base_form(word) not in name_forms
        for word in words_of(text)
    )


def deletions(word: str) -> Iterator[str]:
    """Yield a word with each letter left out; words that share one of these differ by a typo."""
    yield word
    for index in range(len(word)):
        yield word[:index] + word[index + 1 :]


def differ_by_one_letter(one: str, other: str) -> bool:
    """Return whether two words differ by one letter (more, less or other) or a swap."""
    if abs(len(one) - len(other)) > 1 or one == other:
        return False
    start = 0
    while one[start : start + 1] == other[start : start + 1]:
        start += 1
    rest, other_rest = one[start:], other[start:]
    if len(one) != len(other):
        longer, shorter = sorted((rest, other_rest), key=len, reverse=True)
        return longer[1:] == shorter
    swapped = rest[1::-1] + rest[2:] == other_rest
    return rest[1:] == other_rest[1:] or swapped

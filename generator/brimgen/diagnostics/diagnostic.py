"""Diagnostics, and the list that the stages add them to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from brimgen.diagnostics.rule import Rule, Severity
from brimgen.diagnostics.span import Span
from brimgen.frozen import dataclass

# Among more names than these, only those that begin alike are compared with a slip.
_MOST_COMPARED = 300
# By so much of its letters one name is nearer than another, which is then not meant.
_CLEARLY = 0.1


@dataclass(frozen=True, slots=True)
class Note:
    """A related place: "first defined here"."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One rule, broken at one place."""

    rule: Rule
    span: Span
    message: str
    notes: tuple[Note, ...] = ()
    suggestions: tuple[str, ...] = ()

    @property
    def sort_key(self) -> tuple[Span, str, str]:
        """Files in order, then positions, then codes: the order in which people read."""
        return (self.span, self.rule.code, self.message)


class Diagnostics:
    """The diagnostics of all files and stages of one run.

    ``reports`` counts all reports, repeated ones included; ``errors`` counts different errors.
    """

    def __init__(self, diagnostics: Iterable[Diagnostic] = ()) -> None:
        self._by_key: dict[tuple[Span, str, str], Diagnostic] = {}
        self.reports = 0
        self.errors = 0
        self.extend(diagnostics)

    def add(
        self,
        rule: Rule,
        span: Span,
        /,
        *,
        notes: Sequence[Note] = (),
        suggestions: Sequence[str] = (),
        **values: object,
    ) -> None:
        """Report that ``rule`` is broken at ``span``; the same report twice counts once.

        ``values`` fill the named places of ``rule.message``; a missing one is a `KeyError`,
        because it is a mistake of ours. Of several notes about one place the first is kept, of
        the suggestions the first two.
        """
        self.reports += 1
        places = {note.span: note for note in reversed(notes)}
        diagnostic = Diagnostic(
            rule,
            span,
            rule.message.format(**values),
            tuple(note for note in notes if places[note.span] is note),
            tuple(dict.fromkeys(suggestions))[:2],
        )
        self._keep(diagnostic)

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Add the diagnostics of another run."""
        for diagnostic in diagnostics:
            self._keep(diagnostic)

    def _keep(self, diagnostic: Diagnostic) -> None:
        key = diagnostic.sort_key
        if key not in self._by_key:
            self._by_key[key] = diagnostic
            self.errors += diagnostic.rule.severity is Severity.ERROR

    def withdraw(self, diagnostic: Diagnostic) -> None:
        """Remove a diagnostic that the spec waives."""
        del self._by_key[diagnostic.sort_key]
        self.errors -= diagnostic.rule.severity is Severity.ERROR

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(
            sorted(self._by_key.values(), key=lambda diagnostic: diagnostic.sort_key)
        )

    def __len__(self) -> int:
        return len(self._by_key)

    @property
    def has_errors(self) -> bool:
        """Whether any diagnostic stops the build."""
        return self.errors > 0


def did_you_mean(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """At most two of the ``known`` names that ``name`` is probably a misspelling of."""
    candidates = sorted(set(known))
    if len(candidates) > _MOST_COMPARED:
        near = [
            candidate
            for candidate in candidates
            if abs(len(candidate) - len(name)) <= 2
        ]
        candidates = [candidate for candidate in near if candidate[:1] == name[:1]][
            :_MOST_COMPARED
        ]
    folded = {candidate.casefold(): candidate for candidate in reversed(candidates)}
    word = name.casefold()
    if word in folded:
        return (folded[word],)
    from difflib import SequenceMatcher, get_close_matches

    near = get_close_matches(word, folded, n=2, cutoff=0.75)
    if len(near) == 2:
        first, second = (
            SequenceMatcher(None, candidate, word).ratio() for candidate in near
        )
        near = near[:1] if first - second > _CLEARLY else near
    if not near:  # in a short word two letters that changed places are half of it
        near = [swapped for swapped in _letter_swaps(word) if swapped in folded]
    return tuple(folded[candidate] for candidate in near)


def _letter_swaps(word: str) -> Iterator[str]:
    """``word`` with two letters that stand side by side in the other order."""
    for at in range(len(word) - 1):
        yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]

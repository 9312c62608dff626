"""A scanned statement, and what several modules ask of it, computed once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from operator import attrgetter
from typing import Any, TypeVar

from brimgen.frozen import dataclass
from brimgen.sql.dialects import Dialect
from brimgen.sql.tokens import INSIGNIFICANT, Token, TokenKind, depths

AnswerT = TypeVar("AnswerT")

# A member of an enum is looked up in Python where its class is asked for it.
_PARAM, _WORD = TokenKind.PARAM, TokenKind.WORD
_KIND = attrgetter("kind")


@dataclass(frozen=True)
class Statement:
    """A scanned statement; ``pieces`` are all but its white space, which few ask for."""

    text: str
    dialect: Dialect
    pieces: tuple[Token, ...]

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The pieces and the white space between them: ``"".join`` of their texts is the text."""
        tokens_and_space: list[Token] = []
        at = 0
        for piece in (*self.pieces, Token(TokenKind.SPACE, "", len(self.text))):
            if at < piece.start:
                tokens_and_space.append(
                    Token(TokenKind.SPACE, self.text[at : piece.start], at)
                )
            tokens_and_space.append(piece)
            at = piece.end
        return tuple(tokens_and_space[:-1])

    @cached_property
    def significant(self) -> tuple[Token, ...]:
        """The pieces without comments."""
        if self.kinds.isdisjoint(INSIGNIFICANT):
            return self.pieces
        return tuple(
            [piece for piece in self.pieces if piece.kind not in INSIGNIFICANT]
        )

    @cached_property
    def kinds(self) -> frozenset[TokenKind]:
        """The kinds of pieces that there are."""
        return frozenset(map(_KIND, self.pieces))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The word of each significant piece, upper case; empty for those that are none."""
        return tuple(
            [
                text.upper() if kind is _WORD else ""
                for kind, text, _ in self.significant
            ]
        )

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The words that there are, upper case."""
        return frozenset(self.words)

    @cached_property
    def levels(self) -> tuple[int, ...]:
        """How many brackets are open at each significant piece, and after the last one."""
        return depths(self.significant)

    def closing_bracket(self, opening: int) -> int | None:
        """Return the place of the bracket that closes the one at ``opening``; None if none does."""
        levels = self.levels
        following = range(opening + 1, len(self.significant))
        return next((at for at in following if levels[at] == levels[opening]), None)

    @cached_property
    def _answers(self) -> dict[object, Any]:
        return {}

    def computed_once(self, ask: Callable[[Statement], AnswerT]) -> AnswerT:
        """Return what ``ask`` says of the statement; it is computed once for all who ask."""
        if ask not in self._answers:
            self._answers[ask] = ask(self)
        answer: AnswerT = self._answers[ask]
        return answer

    @cached_property
    def uses(self) -> tuple[int, ...]:
        """The places of parameters among the significant pieces, in order."""
        places = enumerate(self.significant)
        return tuple([index for index, (kind, _, _) in places if kind is _PARAM])

    @cached_property
    def parameters(self) -> tuple[Token, ...]:
        """Every use of a parameter, in order."""
        return tuple([self.significant[index] for index in self.uses])

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the parameters, each once, in order of first use."""
        return tuple(
            dict.fromkeys([parameter.text[1:] for parameter in self.parameters])
        )

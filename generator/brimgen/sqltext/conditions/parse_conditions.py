"""Parse a WHERE, ON or HAVING condition into a tree.

The reader takes every dialect. What it does not understand becomes an `opaque` node that holds the
parameters and columns inside, up to the next AND, OR or the end of the condition. What stands
deeper than `_DEEPEST` becomes a `deep` node.
"""

from __future__ import annotations

from decimal import Decimal

from brimgen.frozen import replace
from brimgen.sqltext.conditions.parse_operands import (
    Node,
    NotUnderstood,
    Operands,
    TooDeep,
)
from brimgen.sqltext.statement import Statement
from brimgen.sqltext.tokens import CLOSING, OPENING, TokenKind, words

_DEEPEST = 60
"""How many expressions may stand inside each other."""

_COMPARISONS = frozenset({"=", "==", "<>", "!=", "<", ">", "<=", ">=", "<=>"})
_MATCHES = words("LIKE ILIKE GLOB REGEXP RLIKE MATCH SIMILAR")


def condition(statement: Statement, at: int) -> tuple[Node, int]:
    """Parse the condition at the token ``at``; return it and the place after it."""
    reader = _Reader(statement, at)
    return reader.any_of(), reader.at


class _Reader(Operands):
    """Reads one condition."""

    def any_of(self) -> Node:
        """Operands of OR."""
        self.depth += 1
        if self.depth > _DEEPEST:
            self.depth -= 1
            raise TooDeep
        parts, sign = [self._all_of()], "or"
        while self._word() in ("OR", "XOR") or (self.mysql and self._text() == "||"):
            sign = "xor" if self._word() == "XOR" else sign
            self.at += 1
            parts.append(self._all_of())
        self.depth -= 1
        return Node(sign, tuple(parts)) if len(parts) > 1 else parts[0]

    def _all_of(self) -> Node:
        parts = [self._negation()]
        while self._word() == "AND" or self._is_double_and():
            self.at += 1 if self._word() == "AND" else 2
            parts.append(self._negation())
        return Node("and", tuple(parts)) if len(parts) > 1 else parts[0]

    def _is_double_and(self) -> bool:
        return self.mysql and self.texts[self.at : self.at + 2] == ("&", "&")

    def _negation(self) -> Node:
        negated = False
        while self._word() == "NOT":
            negated, self.at = not negated, self.at + 1
        start, depth = self.at, self.depth
        try:
            node = self._predicate()
            if not self._ends():
                raise NotUnderstood
        except NotUnderstood as error:
            self.depth = depth
            op = "deep" if isinstance(error, TooDeep) else "opaque"
            node = replace(self._skipped(start), op=op)
        return Node("not", (node,)) if negated else node

    def _predicate(self) -> Node:
        node = self._operand()
        while not self._ends():
            negated = self._word() == "NOT"
            self.at += negated
            word, sign = self._word(), self._sign()
            if sign and not negated:
                node = Node("compare", (node, self._operand()), sign)
            elif word == "IS" and not negated:
                self.at += 1
                node = self._parse_is(node)
            elif word in ("ISNULL", "NOTNULL") or (negated and word == "NULL"):
                self.at += 1
                node, negated = Node("isnull", (node,)), word != "ISNULL"
            elif word == "BETWEEN":
                node = self._between(node)
            elif word == "IN":
                self.at += 1
                node = self._parse_in(node)
            elif word in _MATCHES or self._text() in ("~", "!"):
                node, turned = self._match(node)
                negated = negated != turned
            else:
                raise NotUnderstood
            node = Node("not", (node,)) if negated else node
        return node

    def _sign(self) -> str:
        """Read the comparison operator that stands here; `<=>` is two tokens."""
        sign = self._text()
        if sign not in _COMPARISONS:
            return ""
        self.at += 1
        if sign == "<=" and self._text() == ">":
            self.at += 1
            return "<=>"
        return {"==": "=", "!=": "<>"}.get(sign, sign)

    def _parse_is(self, node: Node) -> Node:
        negated = self._word() == "NOT"
        self.at += negated
        word = self._word()
        if word == "DISTINCT" and self.words[self.at + 1] == "FROM":
            self.at += 2
            test, negated = (
                Node("compare", (node, self._operand()), "<=>"),
                not negated,
            )
        elif word in ("TRUE", "FALSE"):
            self.at += 1
            test = Node(f"is{word.lower()}", (node,))
        elif word in ("NULL", "UNKNOWN"):
            self.at += 1
            test = Node("isnull", (node,))
        else:  # SQLite compares by IS as others do by IS NOT DISTINCT FROM
            test = Node("compare", (node, self._operand()), "<=>")
        return Node("not", (test,)) if negated else test

    def _between(self, node: Node) -> Node:
        self.at += 2 if self.words[self.at + 1] in ("SYMMETRIC", "ASYMMETRIC") else 1
        low = self._operand()
        if self._word() != "AND":
            raise NotUnderstood
        self.at += 1
        high = self._operand()
        return Node(
            "and",
            (Node("compare", (node, low), ">="), Node("compare", (node, high), "<=")),
        )

    def _parse_in(self, node: Node) -> Node:
        if self._text() != "(":
            return Node("in", (node, self._operand()))
        listed = self.bracket()
        items = listed.args if listed.op == "row" else (listed,)
        return Node("in", (node, *items))

    def _match(self, node: Node) -> tuple[Node, bool]:
        """``a LIKE b ESCAPE c``, ``a ~* b``, ``a !~ b``: the node, and whether it is negated."""
        word, negated = self._word(), self._text() == "!"
        self.at += 2 if negated else 1
        if word == "SIMILAR" and self._word() == "TO":
            self.at += 1
        if not word and self._text() == "*":
            self.at += 1
        pattern = self._operand()
        if self._word() == "ESCAPE":
            self.at += 1
            self._operand()
        kind = {"LIKE": "like", "ILIKE": "like", "SIMILAR": "like", "GLOB": "glob"}
        return Node("match", (node, pattern), kind.get(word, "regex")), negated

    def _operand(self) -> Node:
        node = self._unary()
        while self._is_operator():
            sign = self._text()
            self.at += 1
            node = Node("call", (node, self._unary()), sign)
        return node

    def _is_operator(self) -> bool:
        text, follows = self._text(), self.texts[self.at + 1]
        if self._kind() is not TokenKind.MARK or text in _COMPARISONS:
            return False
        if text in ("!", ",", ";", "::", ".", "?") or text in OPENING | CLOSING:
            return False
        if text == "~" or (self.mysql and text == "||") or self._is_double_and():
            return False
        return bool(text) and bool(follows)

    def _unary(self) -> Node:
        signs = ""
        while self._text() in ("-", "+", "~") and self._kind() is TokenKind.MARK:
            signs, self.at = signs + self._text(), self.at + 1
        if self.mysql and self._text() == "!":
            self.at += 1
            return Node("not", (self._primary(),))
        node = self._primary()
        if not signs.strip("+"):
            return node
        number = isinstance(node.value, Decimal) and signs == "-"
        if number and isinstance(node.value, Decimal):
            return Node("value", value=-node.value)
        return Node("call", (node,), signs)

"""Read SQL statements as text: find strings, comments and `:name`, and what a statement does.

`scan` splits a statement losslessly, `statement_facts` says what it does.
This room imports nothing of the house, so every stage and target may look down at it.
"""

from brimgen.sqltext.dialects import DIALECTS, Dialect, find_dialect
from brimgen.sqltext.effects.statement_kind import Facts, Hints, Kind, statement_facts
from brimgen.sqltext.scanner import scan
from brimgen.sqltext.statement import Statement
from brimgen.sqltext.tokens import Token, TokenKind

__all__ = [
    "DIALECTS",
    "Dialect",
    "Facts",
    "Hints",
    "Kind",
    "Statement",
    "Token",
    "TokenKind",
    "find_dialect",
    "scan",
    "statement_facts",
]

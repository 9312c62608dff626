"""SQL statements: as text, as a tree, and against the schema of a database.

`scan` splits a statement losslessly and finds `:name`; `effects.statement_facts` says what it does.
`tree.parse` makes the one tree of it, which needs sqlglot, and is asked for what the text alone
does not tell. `infer.infer` says what it gives and takes in a schema that `ddl/` read.
"""

from brimgen.sql.dialects import DIALECTS, Dialect, find_dialect
from brimgen.sql.scanner import scan
from brimgen.sql.statement import Statement
from brimgen.sql.tokens import Token, TokenKind

__all__ = [
    "DIALECTS",
    "Dialect",
    "Statement",
    "Token",
    "TokenKind",
    "find_dialect",
    "scan",
]

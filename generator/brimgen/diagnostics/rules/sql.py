"""SQLxxx, of the ``sql`` target: statements and their parameters (sql.md).

Where sql.md gives one code to several findings, the first keeps it and the others have it with
100 or 200 added, so that a code names one row.
"""

from __future__ import annotations

from brimgen.diagnostics.rules import sql_nulls, sql_parameters, sql_statements

RULES = (*sql_nulls.RULES, *sql_parameters.RULES, *sql_statements.RULES)

"""SQLxxx: statements and their parameters (sql.md).

Where sql.md gives one code to several findings, the first keeps it and the others have it with
100 or 200 added, so that a code names one row.
"""

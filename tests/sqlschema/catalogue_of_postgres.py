"""What a PostgreSQL server says of its own functions, operators, casts and types.

`generator/brimgen/sql/rules/catalogues/postgres.txt` keeps it; a test compares them.
"""

from __future__ import annotations

from typing import Any

_FUNCTIONS = """
WITH p AS (
    SELECT p.proname, p.prokind, p.proretset, p.proisstrict, p.pronargdefaults,
           p.provariadic <> 0 AS spreads, t.typname AS result,
           ARRAY(SELECT ty.typname FROM unnest(p.proargtypes) WITH ORDINALITY AS u(o, n)
                 JOIN pg_type ty ON ty.oid = u.o ORDER BY n) AS arguments,
           coalesce(obj_description(p.oid, 'pg_proc'), '') NOT LIKE 'implementation of %'
           AND p.proname !~ '^(pg_stat_get|_|.*_(support|larger|smaller|accum|combine)$)'
               AS is_offered
    FROM pg_proc p JOIN pg_type t ON t.oid = p.prorettype
    WHERE p.pronamespace = 'pg_catalog'::regnamespace
)
SELECT proname, prokind, proretset, proisstrict, pronargdefaults, spreads, result, arguments,
       bool_or(is_offered) OVER (PARTITION BY proname)
FROM p
WHERE NOT result || arguments && ARRAY['internal', 'cstring']::name[]
  AND result !~ '(_handler|trigger)$' AND proname !~ '^binary_upgrade'
ORDER BY proname, prokind, arguments
"""
_OPERATORS = """
SELECT o.oprname, l.typname, r.typname, t.typname
FROM pg_operator o LEFT JOIN pg_type l ON l.oid = o.oprleft
JOIN pg_type r ON r.oid = o.oprright JOIN pg_type t ON t.oid = o.oprresult
ORDER BY 1, 2 NULLS FIRST, 3
"""
_CASTS = """
SELECT s.typname, t.typname, c.castcontext
FROM pg_cast c JOIN pg_type s ON s.oid = c.castsource JOIN pg_type t ON t.oid = c.casttarget
ORDER BY 1, 2
"""
_OUTPUTS = """
SELECT DISTINCT p.proname,
    (SELECT string_agg(a.name || ':' || ty.typname, ',' ORDER BY a.n)
     FROM unnest(p.proargnames, p.proargmodes, p.proallargtypes)
         WITH ORDINALITY AS a(name, mode, type, n)
     JOIN pg_type ty ON ty.oid = a.type
     WHERE a.mode IN ('o', 't', 'b'))
FROM pg_proc p
WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.proargmodes && '{o,t,b}'
  AND NOT EXISTS (
      SELECT 1 FROM pg_proc o WHERE o.proname = p.proname AND o.proargmodes IS NULL)
ORDER BY 1, 2
"""
_TYPES = """
SELECT t.typname, t.typcategory, t.typispreferred
FROM pg_type t
WHERE t.typnamespace = 'pg_catalog'::regnamespace AND t.typtype IN ('b', 'r', 'm', 'p')
  AND t.typname !~ '^_'
ORDER BY 1
"""


def catalogue(connection: Any) -> str:
    """Return the text of the catalogue of a server."""
    lines = ["# types: name, category, * for the preferred one of its category"]
    for name, category, preferred in connection.execute(_TYPES):
        lines.append(f"type {name} {_text(category)}{'*' * preferred}")
    lines.append("# casts: source, target; i implicit, a at assignment, e explicit")
    by_cast: dict[tuple[str, str], list[str]] = {}
    for source, target, context in connection.execute(_CASTS):
        by_cast.setdefault((source, _text(context)), []).append(target)
    lines += [
        f"cast {source} {context} {' '.join(targets)}"
        for (source, context), targets in by_cast.items()
    ]
    lines.append("# operators: name, then operands and result of each")
    by_name: dict[str, list[str]] = {}
    for name, left, right, result in connection.execute(_OPERATORS):
        by_name.setdefault(name, []).append(f"{left or ''},{right}>{result}")
    lines += [f"operator {name} {' '.join(each)}" for name, each in by_name.items()]
    lines.append(
        "# functions: name, f function, a aggregate, w window, s set; then arguments (* variadic,"
    )
    lines.append(
        "# =n optional) and result of each; ! is given NULL, too. Nobody is meant to call"
    )
    lines.append("# an `internal` one by its name.")
    grouped: dict[tuple[str, str, str], list[str]] = {}
    for (
        name,
        kind,
        is_set,
        strict,
        defaults,
        variadic,
        result,
        arguments,
        is_offered,
    ) in connection.execute(_FUNCTIONS):
        listed = list(arguments)
        if variadic:
            listed[-1] = f"*{listed[-1].removeprefix('_')}"
        shown = ",".join(listed) + (f"={defaults}" if defaults else "")
        nulls = "" if strict or _text(kind) in "aw" else "!"
        kind_of = "s" if is_set else _text(kind)
        subject = "function" if is_offered else "internal"
        grouped.setdefault((subject, name, kind_of), []).append(
            f"{nulls}{shown}>{result}"
        )
    lines += [
        f"{subject} {name} {kind} {' '.join(each)}"
        for (subject, name, kind), each in grouped.items()
    ]
    lines.append("# outputs: the named columns of functions, each with its type")
    lines += [
        f"outputs {name} {columns}" for name, columns in connection.execute(_OUTPUTS)
    ]
    return "\n".join(lines) + "\n"


def _text(value: object) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)

"""Statements that PostgreSQL takes, by what brimgen knows little of.

`tests/cli` holds that none is refused, `tests/databases` that the server takes each of them.
"""

from __future__ import annotations

from collections.abc import Mapping

from brimgen.sqltext import DIALECTS, TokenKind, scan

SCHEMA = """\
CREATE TYPE kind AS ENUM ('cash', 'card');
CREATE TABLE sales (
  id integer PRIMARY KEY,
  shop text NOT NULL,
  kind kind NOT NULL DEFAULT 'cash',
  amount numeric(10, 2) NOT NULL,
  day date NOT NULL,
  made_at timestamptz NOT NULL DEFAULT now(),
  tags text[] NOT NULL DEFAULT '{}',
  scores integer[],
  data jsonb NOT NULL DEFAULT '{}',
  raw json,
  span tstzrange,
  spot point
);
CREATE TABLE counters (k text PRIMARY KEY, sale_id integer NOT NULL, n integer NOT NULL DEFAULT 0);
CREATE FUNCTION round(double precision, integer) RETURNS numeric
  LANGUAGE sql AS 'SELECT round($1::numeric, $2)';
CREATE AGGREGATE longest(text) (SFUNC = textcat, STYPE = text);
CREATE TYPE textrange AS RANGE (subtype = text);
"""
EXTENSIONS = ("pg_trgm", "fuzzystrmatch", "intarray", "unaccent", "citext", "vector")
"""What the database has and the schema does not name, as in many projects."""

NAMES: Mapping[str, tuple[str, ...]] = {
    "functions behind operators": (
        "SELECT id FROM sales WHERE starts_with(shop, :q)",
        "SELECT array_cat(tags, tags) AS v, jsonb_exists(data, 'k') AS e FROM sales",
        "SELECT date_pli(day, 1) AS d, int4pl(id, 1) AS i, textcat(shop, 'x') AS t FROM sales",
        "SELECT id FROM sales WHERE jsonb_contains(data, '{}') AND arrayoverlap(tags, :tags)",
        "SELECT id FROM sales WHERE textlike(shop, :q) AND numeric_gt(amount, 3)",
        "SELECT range_overlaps(span, span) AS o, float8_accum('{1,2,3}', 4) AS a FROM sales",
    ),
    "functions of the server": (
        "SELECT pg_get_expr(adbin, adrelid) AS e FROM pg_attrdef",
        "SELECT pg_wal_lsn_diff('0/2', '0/1') AS d, pg_stat_get_numscans('sales'::regclass) AS n",
        "SELECT (aclexplode(relacl)).grantee AS g FROM pg_class",
        "SELECT pg_visible_in_snapshot('10'::xid8, pg_current_snapshot()) AS v",
        "SELECT tsquery_phrase(plainto_tsquery(:q), plainto_tsquery('b')) AS p",
    ),
    "functions of extensions": (
        "SELECT id FROM sales WHERE similarity(shop, :q) > 0.3",
        "SELECT levenshtein(shop, :q) AS d, soundex(shop) AS s, unaccent(shop) AS u FROM sales",
        "SELECT uniq(scores) AS s, idx(scores, 1) AS i FROM sales",
    ),
    "operators of extensions": (
        "SELECT id FROM sales WHERE shop % :q ORDER BY shop <-> :q",
        "SELECT id FROM sales WHERE :q <% shop AND shop %> 'a'",
        "SELECT scores + 5 AS more, scores - 5 AS less, scores & ARRAY[1] AS same FROM sales",
        "SELECT id FROM sales WHERE scores @@ '1&2'::query_int",
    ),
    "types of extensions": (
        "SELECT id FROM sales WHERE shop::citext = :q",
        "SELECT '1|2'::query_int::text AS x",
        "SELECT '[1,2]'::vector <=> CAST(:q AS vector) AS d, cosine_distance('[1]', :q) AS c",
    ),
    "what the schema itself creates": (
        "SELECT round(3.5::double precision, 2) AS r, kind, longest(shop) AS l FROM sales"
        " GROUP BY kind",
        "SELECT id FROM sales WHERE textrange('a', 'k') @> shop",
        "SELECT textmultirange(textrange('a', 'k'))::text AS m, '(a,1,2)'::counters AS row",
        "SELECT kind, (NULL::counters).k AS k FROM sales",
    ),
    "types as functions": (
        "SELECT text(id) AS t, inet('10.0.0.1') AS i, int4range('[1,2)') AS r FROM sales",
    ),
    "clocks with digits": (
        "SELECT current_timestamp(0) AS a, current_time(0) AS b, localtime(0) AS c,"
        " localtimestamp(0) AS d",
        "SELECT id FROM sales WHERE made_at > current_timestamp(3) - interval '1 day'",
    ),
    "functions of the grammar": (
        "SELECT JSON_OBJECT() AS a, JSON_ARRAY(1, 2) AS b, JSON_SCALAR(1) AS c, JSON('1') AS d,"
        " JSON_SERIALIZE(raw) AS e FROM sales",
        "SELECT JSON_VALUE(data, '$.a') AS a, JSON_QUERY(data, '$.a') AS b,"
        " JSON_EXISTS(data, '$.a') AS c FROM sales",
        "SELECT JSON_VALUE(data, '$.a' RETURNING int) AS a,"
        " JSON_QUERY(data, '$.a' WITH WRAPPER) AS b FROM sales",
        "SELECT JSON_OBJECT('a' VALUE 1) AS a, JSON_OBJECT('a': 1 ABSENT ON NULL) AS b,"
        " JSON_ARRAY(1, NULL NULL ON NULL) AS c, data IS JSON OBJECT AS d FROM sales",
        "SELECT JSON_ARRAYAGG(id) AS a, JSON_OBJECTAGG(shop: id) AS b FROM sales",
        "SELECT t.a FROM sales, JSON_TABLE(data, '$[*]' COLUMNS (a int PATH '$.a')) AS t",
    ),
}
"""Names of functions, operators and types that the catalogue does not list, or not with these."""

SCHEMAS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "keys that use an index": (
        """\
CREATE TABLE books (id integer NOT NULL, code text);
CREATE UNIQUE INDEX by_id ON books (id);
ALTER TABLE books ADD CONSTRAINT books_pkey PRIMARY KEY USING INDEX by_id;
CREATE UNIQUE INDEX by_code ON books (code);
ALTER TABLE books ADD UNIQUE USING INDEX by_code DEFERRABLE, ADD COLUMN title text;
""",
        (
            "INSERT INTO books (id) VALUES (1) ON CONFLICT (id) DO NOTHING",
            "SELECT title FROM books WHERE code = :q",
        ),
    ),
    "partitions": (
        """\
CREATE TABLE moves (id integer, day date NOT NULL, PRIMARY KEY (id, day)) PARTITION BY RANGE (day);
CREATE TABLE moves_1 PARTITION OF moves FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
ALTER TABLE moves ADD COLUMN note text;
ALTER TABLE moves RENAME COLUMN note TO remark;
CREATE TABLE moves_2 (id integer NOT NULL, day date NOT NULL, remark text);
ALTER TABLE moves ATTACH PARTITION moves_2 FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');
ALTER TABLE moves ADD COLUMN extra integer;
ALTER TABLE moves DETACH PARTITION moves_1;
ALTER TABLE moves DROP COLUMN remark;
""",
        (
            "INSERT INTO moves_1 VALUES (1, :day, 'x', 3) ON CONFLICT (id, day) DO NOTHING",
            "INSERT INTO moves_2 VALUES (1, :day, 3) ON CONFLICT (id, day) DO NOTHING",
            "SELECT m.remark, n.extra FROM moves_1 m JOIN moves_2 n USING (id)",
        ),
    ),
    "tables that inherit": (
        """\
CREATE TABLE base (id serial PRIMARY KEY, name text NOT NULL DEFAULT 'x');
CREATE TABLE heir (id integer NOT NULL, more text) INHERITS (base);
CREATE TABLE loner (id integer NOT NULL, name text NOT NULL);
ALTER TABLE base ADD COLUMN day date;
ALTER TABLE loner ADD COLUMN day date, INHERIT base;
ALTER TABLE base ADD COLUMN n integer;
ALTER TABLE loner NO INHERIT base;
ALTER TABLE base DROP COLUMN day;
""",
        (
            "INSERT INTO heir (more, n) VALUES (:q, 1)",
            "INSERT INTO heir VALUES (1, 'name', 'more', 2)",
            "INSERT INTO loner VALUES (1, 'name', :day, 2)",
        ),
    ),
    "columns that the database computes": (
        """\
CREATE TABLE prices (id integer GENERATED ALWAYS AS IDENTITY, net numeric NOT NULL,
  gross numeric GENERATED ALWAYS AS (net * 1.2) STORED);
""",
        (
            "INSERT INTO prices VALUES (DEFAULT, 1, DEFAULT)",
            "INSERT INTO prices (id, net, gross) VALUES (DEFAULT, 2, DEFAULT)",
            "UPDATE prices SET id = DEFAULT, gross = DEFAULT WHERE net = :n",
        ),
    ),
    "tables whose columns only the database knows": (
        """\
CREATE TABLE made AS SELECT 1 AS a;
CREATE TABLE heir (b integer) INHERITS (made);
CREATE TABLE copied (LIKE made, c integer);
""",
        ("INSERT INTO heir VALUES (1, 2)", "INSERT INTO copied VALUES (1, 2)"),
    ),
    "operators and casts": (
        """\
CREATE TABLE days (day date NOT NULL, note text NOT NULL);
CREATE FUNCTION to_number(date) RETURNS integer LANGUAGE sql AS 'SELECT 1';
CREATE CAST (date AS integer) WITH FUNCTION to_number(date);
CREATE FUNCTION same(integer, text) RETURNS boolean LANGUAGE sql AS 'SELECT $1::text = $2';
CREATE OPERATOR = (LEFTARG = integer, RIGHTARG = text, FUNCTION = same);
""",
        ("SELECT day::integer AS n FROM days WHERE day::integer = note",),
    ),
}
"""Statements over tables that the schema makes in a roundabout way."""

TYPES: Mapping[str, str] = {
    "q": "string",
    "n": "int",
    "ids": '"int[]"',
    "tags": '"string[]"',
    "day": "date",
}
"""The types of the arguments, by their names."""


def numbered(sql: str) -> str:
    """A statement with its parameters as PostgreSQL takes them."""
    statement = scan(sql, DIALECTS["postgres"])
    names = list(statement.names)
    return "".join(
        (
            f"${names.index(token.name) + 1}"
            if token.kind is TokenKind.PARAM
            else token.text
        )
        for token in statement.tokens
    )

"""Statements that databases take, by what brimgen knows little of.

`tests/cli` holds that none is refused, `tests/databases` that the database takes each of them.
"""

from __future__ import annotations

from collections.abc import Mapping

from brimgen.sql import DIALECTS, TokenKind, scan

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

FORMS: Mapping[str, tuple[str, ...]] = {
    "sources with numbers": (
        "SELECT u.t, u.o FROM unnest(ARRAY['a', 'b']) WITH ORDINALITY AS u(t, o)",
        "SELECT s.id, u.tag, u.nr FROM sales s, unnest(s.tags) WITH ORDINALITY AS u(tag, nr)",
        "SELECT g.n, g.o FROM generate_series(1, :n) WITH ORDINALITY AS g(n, o)",
        "SELECT e.v, e.o FROM sales, jsonb_array_elements(data) WITH ORDINALITY AS e(v, o)",
        "SELECT u.ordinality, e.key FROM unnest(ARRAY[1]) WITH ORDINALITY u,"
        " jsonb_each('{}') WITH ORDINALITY AS e(key, value, o) WHERE e.o = u.ordinality",
    ),
    "rows from several functions": (
        "SELECT t.a, t.b FROM ROWS FROM (generate_series(1, :n), unnest(ARRAY[1, 2])) AS t(a, b)",
        "SELECT o, b FROM ROWS FROM (json_to_record('{}') AS (a int, b text), abs(1))"
        " WITH ORDINALITY AS x(a, b, c, o)",
    ),
    "joins in brackets": (
        "SELECT j.shop, j.k FROM (sales JOIN counters ON sale_id = id) AS j WHERE j.n = :n",
        "SELECT j.a, x.c FROM (sales CROSS JOIN counters) AS j(a, b), LATERAL (SELECT 1 AS c) x"
        " WHERE x.c = j.n",
        "SELECT x.id, y.k FROM ((SELECT id FROM sales) x LEFT JOIN (SELECT k FROM counters) y"
        " ON true) CROSS JOIN sales s, LATERAL (SELECT x.id) z",
        "SELECT u.id FROM sales s JOIN counters c ON c.sale_id = s.id"
        " JOIN (sales t JOIN sales u USING (id)) ON u.id = s.id",
    ),
    "rows that are compared": (
        "SELECT id FROM sales WHERE (id, shop) = ANY (SELECT n, k FROM counters)",
        "SELECT id FROM sales WHERE (id, shop) <> ALL (SELECT n, k FROM counters)",
        "SELECT id FROM sales WHERE ROW(id, shop) = SOME (SELECT n, k FROM counters)",
        "SELECT id FROM sales WHERE (id, shop) IN (SELECT n, k FROM counters)",
        "SELECT id FROM sales WHERE (id, shop) = (SELECT n, k FROM counters LIMIT 1)",
        "SELECT id FROM sales WHERE (id, day) < (:n, :day) AND (id, shop) IN ((1, 'a'), (2, 'b'))",
        "SELECT id FROM sales WHERE (day, day) OVERLAPS (day, day + 1)",
    ),
    "lists": (
        "UPDATE sales SET tags = :tags, scores = :ids WHERE id = :n",
        "INSERT INTO sales (id, shop, amount, day, tags) VALUES (:n, :q, 1, :day, :tags)",
        "SELECT id FROM sales WHERE tags = :tags",
        "SELECT id FROM sales WHERE tags && :tags AND scores @> :ids",
        "SELECT id FROM sales WHERE id <> ALL(:ids) AND NOT id = ANY(:ids)",
        "SELECT id FROM sales WHERE shop LIKE ANY(:tags) OR shop ILIKE ALL(:tags)",
        "SELECT id FROM sales WHERE id = SOME(:ids) AND 5 > ALL(scores)",
    ),
    "queries of WITH": (
        "WITH t AS (SELECT id FROM sales WHERE shop = :q) INSERT INTO counters (k, sale_id)"
        " VALUES ('a', (SELECT id FROM t)) ON CONFLICT (k) DO UPDATE"
        " SET sale_id = coalesce((SELECT id FROM t), counters.sale_id)"
        " WHERE counters.n < (SELECT max(id) FROM t) RETURNING k, (SELECT id FROM t) AS id",
        "WITH t AS (SELECT id FROM sales) UPDATE counters SET n = (SELECT max(id) FROM t)"
        " WHERE sale_id IN (SELECT id FROM t) RETURNING n, EXISTS (SELECT 1 FROM t) AS e",
        "WITH t AS (SELECT id FROM sales) DELETE FROM counters USING t WHERE t.id = sale_id"
        " RETURNING (SELECT min(id) FROM t) AS id",
        "WITH gone AS (DELETE FROM counters WHERE k = :q RETURNING k) SELECT k FROM gone",
    ),
    "comments": (
        "INSERT INTO counters (k, -- the key\n  sale_id /* whose */, n) VALUES (:q, 1, 2)",
    ),
    "windows and aggregates": (
        "SELECT shop, sum(amount) FILTER (WHERE amount > 1) OVER (PARTITION BY shop) AS s"
        " FROM sales",
        "SELECT count(*) FILTER (WHERE id > 1) OVER () AS c, id FROM sales",
        "SELECT s.shop FROM sales s GROUP BY s.shop HAVING EXISTS (SELECT 1 FROM counters"
        " WHERE sum(s.id) = n)",
        "SELECT id % 2 AS p, lower(sales.shop) AS l, count(*) AS c FROM sales"
        " GROUP BY sales.id % 2, lower(shop) ORDER BY id % 2",
        "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY amount) AS m FROM sales",
    ),
    "items by number and by name": (
        "SELECT scores[1][2] AS a, scores[1:2][1:1] AS b, tags[1] AS c FROM sales",
        "SELECT data['a'] AS a, data['a'][0]['b'] AS b FROM sales WHERE data['k'] = '1'",
        "UPDATE sales SET data['a'] = '1', scores[2] = 3 WHERE id = :n",
        "SELECT ARRAY[1, 'NaN']::float8[] AS f, ARRAY['{}', NULL]::jsonb[] AS j",
        "SELECT (spot)[0] AS x, spot[1] AS y FROM sales",
    ),
    "merges": (
        "MERGE INTO counters t USING counters s ON t.k = s.k"
        " WHEN MATCHED AND s.n > 1 THEN UPDATE SET n = s.n"
        " WHEN NOT MATCHED THEN INSERT (k, sale_id) VALUES (k, sale_id)",
        "MERGE INTO counters t USING (SELECT 'x' AS k) s ON t.k = s.k"
        " WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN DO NOTHING",
    ),
    "limits of a row around": (
        "SELECT (SELECT k FROM counters ORDER BY k LIMIT 1 OFFSET s.id) AS k FROM sales s",
    ),
    "numbers as text": (
        "SELECT id FROM sales WHERE amount = '1_000.5' OR amount = '0x1F' OR id = '1_0'",
    ),
    "rows as values": (
        "SELECT u.k, u.n FROM unnest(ARRAY[]::counters[]) AS u WHERE u.n = :n",
        "SELECT (c).k AS k, c.*, c IS NULL AS e FROM counters c",
        "SELECT (jsonb_populate_record(NULL::counters, data)).k AS k FROM sales",
        "SELECT r.k FROM sales, jsonb_populate_recordset(NULL::counters, data) AS r",
        "SELECT x.a FROM sales, jsonb_to_record(data) AS x(a int, b text)",
    ),
    "moments": (
        "SELECT id FROM sales WHERE made_at AT TIME ZONE 'UTC' > now() - 2 * interval '1 hour'",
        "SELECT date_trunc('day', made_at, 'UTC') AS d, EXTRACT(epoch FROM made_at) AS e,"
        " INTERVAL '1 day' * id AS i, interval '1' year AS y FROM sales",
        "SELECT id FROM sales WHERE made_at::date = current_date - 1 AND day - 1 < :day",
    ),
    "patterns": (
        "SELECT id FROM sales WHERE shop SIMILAR TO :q OR shop ~ '^a' OR shop !~* :q",
        "SELECT id FROM sales WHERE shop LIKE '%' || :q || '%' ESCAPE '!'",
        "SELECT substring(shop from '^(.)') AS a, substring(shop for 2) AS b,"
        " overlay(shop placing 'x' from 1 for 2) AS c, trim(both 'x' from shop) AS d,"
        " position('a' in shop) AS e FROM sales",
    ),
}
"""Statements whose form is unusual."""

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
CREATE TABLE second (code text, name text);
CREATE TABLE both_of (own date) INHERITS (base, second);
""",
        (
            "INSERT INTO heir (more, n) VALUES (:q, 1)",
            "INSERT INTO heir VALUES (1, 'name', 'more', 2)",
            "INSERT INTO loner VALUES (1, 'name', :day, 2)",
            "INSERT INTO both_of VALUES (1, 'name', 2, 'code', :day)",
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

_TABLES = """\
CREATE TABLE counters (k VARCHAR(9) PRIMARY KEY, n INTEGER DEFAULT 0, sale_id INTEGER);
"""

OTHERS: Mapping[str, tuple[str, Mapping[str, tuple[str, ...]]]] = {
    "mysql": (
        f"""{_TABLES}
CREATE TABLE sales (
  id INT PRIMARY KEY AUTO_INCREMENT, shop VARCHAR(20) NOT NULL, amount DECIMAL(8, 2) NOT NULL,
  day DATE, data JSON, lvl ENUM('low', 'high') NOT NULL, made_at DATETIME
);
CREATE TABLE texts (id INT PRIMARY KEY, lvl VARCHAR(9), body TEXT);
""",
        {
            "deletions from joined tables": (
                "DELETE v FROM sales v JOIN counters s ON s.sale_id = v.id WHERE s.k = :q",
                "DELETE v, s FROM sales v JOIN counters s ON s.sale_id = v.id WHERE s.k = :q",
                "DELETE v.* FROM sales v JOIN counters s ON s.sale_id = v.id WHERE s.k = :q",
                "DELETE FROM v USING sales v JOIN counters s ON s.sale_id = v.id WHERE s.k = :q",
                "DELETE sales FROM sales LEFT JOIN counters ON sale_id = id WHERE k IS NULL",
            ),
            "a table of one row": (
                "SELECT 1 AS a FROM DUAL",
                "SELECT :q AS a FROM dual WHERE 1 = 1",
                "INSERT INTO counters (k, n) SELECT :q, 1 FROM DUAL"
                " WHERE NOT EXISTS (SELECT 1 FROM counters WHERE k = 'x')",
            ),
            "an enum beside other texts": (
                "SELECT id FROM sales WHERE lvl = 'other' OR lvl <> 'none'",
                "SELECT id FROM sales WHERE lvl IN ('low', 'none') OR lvl > 1",
                "SELECT s.id FROM sales s JOIN texts t ON s.lvl = t.lvl WHERE s.lvl LIKE :q",
            ),
            "the row that has its key already": (
                "INSERT INTO counters (k, n) VALUES (:q, 1)"
                " ON DUPLICATE KEY UPDATE n = VALUES(n) + n",
                "INSERT INTO counters (k, n) SELECT t.body, t.id FROM texts t"
                " ON DUPLICATE KEY UPDATE n = t.id",
            ),
        },
    ),
    "duckdb": (
        f"""{_TABLES}
CREATE TYPE mood AS ENUM ('low', 'high');
CREATE TABLE sales (
  id INTEGER PRIMARY KEY, shop VARCHAR NOT NULL, day DATE, lvl mood, tags VARCHAR[],
  scores INTEGER[], spot STRUCT(x INTEGER, y VARCHAR), m MAP(VARCHAR, INTEGER),
  u UNION(n INTEGER, s VARCHAR), nested STRUCT(a STRUCT(b INTEGER)[])
);
""",
        {
            "structs": (
                "SELECT spot.x AS x, spot['y'] AS y, s.spot.x AS z FROM sales s"
                " WHERE spot.x = :n ORDER BY spot.y",
                "SELECT spot.* FROM sales",
                "SELECT nested.a[1].b AS b, u.n AS n, union_tag(u) AS t FROM sales",
                "SELECT a.x FROM (SELECT spot AS a FROM sales)",
                "SELECT {'a': 1, 'b': :q} AS s, struct_pack(a := 1) AS p, row(1, 'x') AS r",
                "INSERT INTO sales (id, shop, spot, m, tags)"
                " VALUES (:n, :q, {'x': 1, 'y': 'a'}, MAP {'k': 1}, :tags)",
            ),
            "maps and comprehensions": (
                "SELECT m['k'] AS v, MAP {'a': 1} AS l, map_keys(m) AS ks FROM sales",
                "SELECT [x + 1 for x in scores if x > :n] AS c FROM sales",
                "SELECT [lower(t) for t in tags] AS l, unnest(tags) AS t FROM sales",
                "SELECT list_transform(scores, lambda x: x + 1) AS c, scores[1:2] AS s FROM sales",
            ),
            "parameters alone": (
                "SELECT :q AS x",
                "SELECT :q AS x, :n AS y FROM sales",
            ),
            "unions by name": (
                "SELECT id FROM sales UNION ALL BY NAME SELECT sale_id AS id, k FROM counters",
            ),
            "an enum beside other texts": (
                "SELECT id FROM sales WHERE lvl = 'other' OR lvl IN ('low', 'none')",
            ),
            "a row that is merged": (
                "MERGE INTO counters t USING (SELECT 'a' AS k) s ON t.k = s.k"
                " WHEN MATCHED THEN UPDATE SET n = 1"
                " WHEN NOT MATCHED THEN INSERT (k) VALUES (s.k)",
            ),
            "lists": (
                "UPDATE sales SET tags = :tags WHERE id = :n",
                "SELECT id FROM sales WHERE tags = :tags",
                "SELECT id FROM sales WHERE shop = ANY(:tags)",
            ),
        },
    ),
    "sqlite": (
        f"""{_TABLES}
CREATE TABLE sales (
  id INTEGER PRIMARY KEY, shop TEXT NOT NULL, lvl TEXT NOT NULL CHECK (lvl IN ('low', 'high'))
);
CREATE VIEW shops AS SELECT id, shop FROM sales;
CREATE TRIGGER gone INSTEAD OF DELETE ON shops BEGIN DELETE FROM sales WHERE id = old.id; END;
""",
        {
            "queries of WITH": (
                "WITH t AS (SELECT 1 AS k) INSERT INTO counters (k, n)"
                " SELECT 'a', k FROM t WHERE true ON CONFLICT (k)"
                " DO UPDATE SET n = coalesce((SELECT k FROM t), counters.n) RETURNING n",
            ),
            "comments": (
                "INSERT INTO counters (k, -- the key\n  n /* how many */) VALUES (:q, 2)",
            ),
            "changes of views": ("DELETE FROM shops WHERE id = :n",),
            "choices beside other texts": (
                "SELECT id FROM sales WHERE lvl = 'other' OR lvl LIKE :q OR lvl GLOB 'l*'",
            ),
            "plans": ("EXPLAIN QUERY PLAN SELECT id FROM sales WHERE id = :n",),
        },
    ),
}
"""The tables of other dialects, and statements by what each database does otherwise."""

ONLY_MYSQL = (
    "INSERT INTO counters (k, n) VALUES (:q, 1) AS new ON DUPLICATE KEY UPDATE n = new.n",
    "INSERT INTO counters (k, n) VALUES (:q, 1) AS new(a, b) ON DUPLICATE KEY UPDATE n = b",
    "SELECT t.a FROM (VALUES ROW(1, 'a'), ROW(2, 'b')) AS t(a, b) WHERE t.b = :q",
)
"""Statements that MySQL takes, and MariaDB does not."""

TYPES: Mapping[str, str] = {
    "q": "string",
    "n": "int",
    "ids": '"int[]"',
    "tags": '"string[]"',
    "day": "date",
}
"""The types of the arguments, by their names."""


LITERALS = {"q": "'a'", "n": "1", "day": "'2024-01-01'", "tags": "['a']"}
"""A value of each argument, as DuckDB and others take it."""


def with_values(sql: str, dialect: str) -> str:
    """A statement with values in the place of its parameters."""
    return "".join(
        LITERALS[token.name] if token.kind is TokenKind.PARAM else token.text
        for token in scan(sql, DIALECTS[dialect]).tokens
    )


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

"""What DDL, migrations and dumps say about tables, read without a database."""

from __future__ import annotations

import pytest

from brimgen.diagnostics import Diagnostics
from brimgen.model.project import SchemaFile
from brimgen.sql.ddl.read_ddl import read_ddl
from brimgen.sql.model import Schema, Table


def _read(text: str, dialect: str = "postgres", *, reports: int = 0) -> Schema:
    found = Diagnostics()
    schema = read_ddl([SchemaFile("db/schema.sql", text)], dialect, found)
    assert reports == len(found), [each.message for each in found]
    return schema


def _columns(table: Table) -> list[str]:
    """The columns as a person would note them down: ``name type?`` with what INSERT needs."""
    return [
        f"{each.name} {each.type.native if each.type else '-'}"
        + ("?" if each.nullable else "")
        + (" default" if each.default else "")
        + (" generated" if each.generated else "")
        for each in table.columns
    ]


STATEMENTS = [
    (
        "create table T (A Int not null, b varchar(10))",
        ["a integer", "b character varying(10)?"],
    ),
    ('create table t ("A" int)', ["A integer?"]),
    (
        "create table t (a serial primary key, b text default 'x')",
        ["a integer default", "b text? default"],
    ),
    (
        "create table t (a bigint generated always as identity,"
        " b int generated always as (a * 2) stored)",
        ["a bigint default generated", "b integer? generated"],
    ),
    (
        "create table t (a timestamp(3) with time zone, b double precision not null, c text[])",
        ["a timestamp(3) with time zone?", "b double precision", "c text[]?"],
    ),
    (
        "create table t (a int, b int, constraint k primary key (a, b))",
        ["a integer", "b integer"],
    ),
    (
        "create table t (a int); alter table t add b int not null default 0, alter a set not null",
        ["a integer", "b integer default"],
    ),
    (
        "create table t (a int, b int); alter table t drop column b; alter table t rename a to c",
        ["c integer?"],
    ),
    (
        "create table t (a int); alter table t alter column a type numeric(8, 2) using a::numeric",
        ["a numeric(8,2)?"],
    ),
    ("create table u (a int not null); alter table u rename to t", ["a integer"]),
    (
        "create domain short as varchar(5) not null; create table t (a short)",
        ["a character varying(5)"],
    ),
    (
        "create table p (a int primary key); create table t (b int) inherits (p)",
        ["a integer", "b integer?"],
    ),
    (
        "create table p (a int not null default 1); create table t (like p)",
        ["a integer"],
    ),
    (
        "create table t (a int not null references p (a) on delete set default on update set null)",
        ["a integer"],
    ),
    (
        "create table p (a int not null) partition by range (a);"
        " create table t partition of p default",
        ["a integer"],
    ),
    (
        "create table t (a int); do $$ begin create type m as enum ('x'); end $$;"
        " alter table t add b m",
        ["a integer?", "b m?"],
    ),
]


@pytest.mark.parametrize(("text", "expected"), STATEMENTS)
def test_a_table_has_the_columns_that_its_statements_leave(
    text: str, expected: list[str]
) -> None:
    assert expected == _columns(_read(text).tables["t"])


def test_keys_come_from_tables_columns_and_indexes() -> None:
    table = _read(
        "create table t (a int primary key, b int unique, c int, d int, e int,"
        " constraint cd unique (c, d), foreign key (e) references u (id));"
        " create unique index on t (d, e); create unique index part on t (c) where d > 1;"
        " create unique index low on t (lower(c));"
    ).tables["t"]
    assert ("a",) == table.primary_key
    assert (("b",), ("c", "d"), ("d", "e")) == table.unique


def test_a_key_that_is_dropped_is_no_key() -> None:
    text = "create table t (a int unique, b int); create unique index i on t (b);"
    more = "alter table t drop constraint t_a_key; drop index i;"
    assert () == _read(text + more).tables["t"].unique


def test_tsql_adds_and_drops_several_columns_by_one_verb() -> None:
    schema = _read(
        "create table t (id int not null, old int, k int constraint u unique);"
        " alter table t add a int not null, b varchar(10) null;"
        " alter table t drop column old, constraint u;"
        " alter table t with check add constraint pk primary key clustered (id asc)",
        "tsql",
    )
    table = schema.tables["t"]
    assert ["id", "k", "a", "b"] == [column.name for column in table.columns]
    assert ("id",) == table.primary_key
    assert () == table.unique


_NO_COLUMN_CHANGES = {
    "postgres": [
        "owner to me",
        "enable row level security, force row level security",
        "no force row level security",
        "disable trigger all",
        "set (fillfactor = 70)",
        "reset (fillfactor)",
        "set without cluster",
        "set logged",
        "set tablespace fast",
        "cluster on t_pkey",
        "replica identity full",
        "add constraint c check (a > 0) not valid",
        "validate constraint c",
        "attach partition p for values in (1)",
        "detach partition p concurrently",
        "inherit p",
        "alter column a set statistics 100, alter b set storage external",
        "alter a set (n_distinct = 5)",
        "alter column a restart with 9",
        "add column if not exists a text",
        "rename constraint c to d",
    ],
    "mysql": [
        "engine=InnoDB, auto_increment=7",
        "comment 'x'",
        "default character set utf8mb4 collate utf8mb4_bin",
        "convert to character set utf8mb4",
        "order by a, b desc",
        "add partition (partition p2 values less than (9))",
        "add partition partitions 4",
        "drop partition p0, p1",
        "truncate partition p0, p1",
        "add system versioning",
        "alter index i invisible",
        "add index i (a), algorithm=inplace, lock=none",
    ],
    "tsql": [
        "with check check constraint c, d",
        "nocheck constraint all",
        "set (lock_escalation = auto)",
        "switch partition 1 to s",
        "alter column a add rowguidcol",
    ],
    "oracle": [
        "add partition p1 values less than (9)",
        "modify partition p1 nologging",
        "add supplemental log data (all) columns",
    ],
    "clickhouse": ["add index i a type minmax", "modify setting s = 1"],
    "snowflake": ["cluster by (a)", "set data_retention_time_in_days = 1"],
}


@pytest.mark.parametrize(
    ("dialect", "change"),
    [
        (dialect, change)
        for dialect, changes in _NO_COLUMN_CHANGES.items()
        for change in changes
    ],
)
def test_changes_of_anything_but_columns_leave_the_columns(
    dialect: str, change: str
) -> None:
    created = "create table t (a int, b int);"
    schema = _read(f"{created} alter table t {change}", dialect)
    assert schema.complete
    assert _columns(_read(created, dialect).tables["t"]) == _columns(schema.tables["t"])


@pytest.mark.parametrize(
    ("dialect", "change", "told"),
    [
        ("snowflake", "alter table t swap with u", "`swap`"),
        ("postgres", "alter table t owner to me, forge a int", "`forge`"),
        ("postgres", "alter table t alter a set forge", "column `a` by `SET`"),
        ("postgres", "alter table t set forge", "`SET FORGE`"),
        ("tsql", "alter table t with check", "`check`"),
        ("postgres", "alter view v rename column a to b", "query of the view"),
    ],
)
def test_a_change_of_a_table_that_is_not_known_is_told(
    dialect: str, change: str, told: str
) -> None:
    found = Diagnostics()
    text = f"create table t (a int);\ncreate view v as select a from t;\n{change};\n"
    schema = read_ddl([SchemaFile("db/schema.sql", text)], dialect, found)
    (each,) = found
    assert ("SQL125", 3) == (each.rule.code, each.span.line)
    assert told in each.message
    assert not schema.complete


@pytest.mark.parametrize(
    ("dialect", "change", "expected"),
    [
        ("oracle", "set unused (b)", ["a"]),
        ("snowflake", "add column c int, d int", ["a", "b", "c", "d"]),
        ("databricks", "add columns (c int, d int)", ["a", "b", "c", "d"]),
        ("databricks", "drop columns (a, b)", []),
    ],
)
def test_columns_follow_the_changes_of_other_dialects(
    dialect: str, change: str, expected: list[str]
) -> None:
    text = f"create table t (a int, b int); alter table t {change}"
    assert expected == [each.name for each in _read(text, dialect).tables["t"].columns]


@pytest.mark.parametrize(
    ("dialect", "change"),
    [
        ("tsql", "alter view v as select b from t"),
        ("tsql", "create or alter view v as select b from t"),
        ("mysql", "alter algorithm=merge definer=`m`@`%` view v as select b from t"),
    ],
)
def test_a_view_that_is_altered_has_its_new_query(dialect: str, change: str) -> None:
    text = f"create table t (a int, b int); create view v as select a from t; {change}"
    assert "select b from t" == _read(text, dialect).tables["v"].query


def test_labels_of_enums_follow_their_migrations() -> None:
    text = """
        create type mood as enum ('sad', 'ok');
        alter type mood add value 'great' after 'sad';
        alter type mood rename value 'ok' to 'fine';
        create table t (a mood not null, b text check (b in ('x', 'it''s')), c text);
        alter table t add check (c = any (array['p'::text, 'q'::text]));
    """
    columns = _read(text).tables["t"].columns
    labels = [each.type.labels for each in columns if each.type]
    assert [("sad", "great", "fine"), ("x", "it's"), ("p", "q")] == labels


def test_views_keep_their_query() -> None:
    schema = _read(
        "create table t (a int); create view v (b) as select a from t with check option;"
    )
    view = schema.tables["v"]
    assert view.view and "select a from t" == view.query
    assert ["b"] == [each.name for each in view.columns]


PLACED = [
    (
        "dbmate",
        "-- migrate:up\ncreate table t (a int);\n-- migrate:down\ndrop table t;\n",
    ),
    ("goose", "-- +goose Up\ncreate table t (a int);\n-- +goose Down\ndrop table t;\n"),
    (
        "sql-migrate",
        "-- +migrate Up\ncreate table t (a int);\n-- +migrate Down\ndrop table t;",
    ),
    (
        "tern",
        "create table t (a int);\n---- create above / drop below ----\ndrop table t;\n",
    ),
    (
        "Alembic",
        "BEGIN;\nCREATE TABLE alembic_version (v TEXT);\n-- Running upgrade  -> 1a\n"
        "CREATE TABLE t (a INTEGER);\nINSERT INTO alembic_version VALUES ('1a');\nCOMMIT;\n",
    ),
    (
        "pg_dump",
        "\\restrict x\nSET search_path = '';\nCREATE TABLE public.t (a integer);\n"
        "COPY public.t (a) FROM stdin;\n1\n;' (\n\\.\n\n"
        "ALTER TABLE ONLY public.t OWNER TO me;\nSELECT pg_catalog.setval('x', 1);\n",
    ),
]


@pytest.mark.parametrize(("tool", "text"), PLACED, ids=[each[0] for each in PLACED])
def test_migrations_and_dumps_of_the_usual_tools_are_read(tool: str, text: str) -> None:
    table = _read(text).tables["t"]
    assert ["a integer?"] == _columns(table)
    span = table.columns[0].span
    assert span is not None
    line = text.splitlines()[span.line - 1]
    assert "a" == line[span.column - 1 : span.end_column - 1]


def test_a_dump_of_mysql_is_read() -> None:
    schema = _read(
        """
        /*!40101 SET NAMES utf8 */;
        CREATE TABLE `t` (
          `id` int(11) NOT NULL AUTO_INCREMENT COMMENT 'it''s, (really) a key',
          `state` enum('new','done') CHARACTER SET utf8 NOT NULL DEFAULT 'new',
          `at` timestamp NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
          `key` bigint unsigned,
          PRIMARY KEY (`id`),
          UNIQUE KEY `state` (`state`,`at`),
          KEY `other` (`at`)
        ) ENGINE=InnoDB DEFAULT CHARSET=utf8;
        INSERT INTO `t` VALUES (1,'new; (',NULL,2);
        DELIMITER ;;
        /*!50003 CREATE*/ /*!50003 TRIGGER x BEFORE INSERT ON t FOR EACH ROW BEGIN
          IF NEW.id THEN SET NEW.id = 1; END IF;
        END */;;
        DELIMITER ;
        /*!50001 CREATE ALGORITHM=UNDEFINED */
        /*!50013 DEFINER=`me`@`%` SQL SECURITY DEFINER */
        /*!50001 VIEW `v` AS select `t`.`id` AS `id` from `t` */;
        ALTER TABLE t CHANGE `key` code varchar(8) NOT NULL AFTER id, ADD x int FIRST;
        """,
        "mysql",
    )
    table = schema.tables["t"]
    assert [
        "x int?",
        "id int(11) default",
        "code varchar(8)",
        "state enum('new','done') default",
        "at timestamp? default",
    ] == _columns(table)
    assert (("state", "at"),) == table.unique
    assert schema.tables["v"].view and schema.complete


def test_sqlite_allows_null_in_keys_that_are_no_rowid() -> None:
    text = (
        "create table a (id integer primary key, x text);"
        "create table b (id text primary key);"
        "create table c (id text primary key) without rowid;"
        "create table d (id int primary key) strict;"
    )
    tables = _read(text, "sqlite").tables
    nullable = {name: each.columns[0].nullable for name, each in tables.items()}
    assert {"a": False, "b": True, "c": False, "d": False} == nullable
    assert tables["a"].columns[0].default


def test_what_is_not_understood_is_told_and_the_rest_is_read() -> None:
    text = "create table a (x int);\nforge table b (y int);\ncreate table c (z int);\n"
    found = Diagnostics()
    schema = read_ddl([SchemaFile("db/schema.sql", text)], "postgres", found)
    (each,) = found
    assert ("db/schema.sql", 2, "SQL125") == (
        each.span.file,
        each.span.line,
        each.rule.code,
    )
    assert {"a", "c"} == {*schema.tables}
    assert not schema.complete

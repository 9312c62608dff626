"""A statement is never run without a value that callers cannot give, such as the tenant."""

from __future__ import annotations

from pathlib import Path

import pytest

from brimgen.api import build
from brimgen.model.project import Connection, Project
from brimgen.settings.load import Settings

SPELLINGS = """
tenant = :t
(:t IS NULL OR tenant = :t)
(tenant = :t OR :t IS NULL)
tenant = COALESCE(:t, tenant)
tenant = IFNULL(:t, tenant)
orders.tenant = COALESCE(:t, tenant)
tenant IS COALESCE(:t, tenant)
NOT (:t IS NOT NULL AND tenant <> :t)
CASE WHEN :t IS NULL THEN 1=1 ELSE tenant = :t END
1 = CASE WHEN :t IS NULL THEN 1 WHEN tenant = :t THEN 1 ELSE 0 END
tenant = CASE WHEN :t IS NULL THEN tenant ELSE :t END
IIF(:t IS NULL, TRUE, tenant = :t)
tenant LIKE COALESCE(:t, '%')
tenant GLOB IFNULL(:t, '*')
COALESCE(tenant = :t, TRUE)
(tenant = :t) IS NOT FALSE
(tenant = :t) IS NULL OR tenant = :t
COALESCE(:t, '*') IN ('*', tenant)
COALESCE(:t, '') = '' OR tenant = :t
NULLIF(:t, '') IS NULL OR tenant = :t
tenant BETWEEN COALESCE(:t, tenant) AND COALESCE(:t, tenant)
LOWER(tenant) = LOWER(COALESCE(:t, tenant))
(SELECT :t) IS NULL OR tenant = :t
CAST(:t AS text) IS NULL OR tenant = :t
tenant IN (SELECT tenant FROM orders WHERE :t IS NULL OR tenant = :t)
EXISTS (SELECT 1 FROM orders m WHERE m.id = orders.id AND (:t IS NULL OR m.tenant = :t))
NOT EXISTS (SELECT 1 FROM orders m WHERE m.tenant = :t AND m.id = orders.id - 1)
id - 1 NOT IN (SELECT id FROM orders WHERE tenant = :t)
paid AND (:t IS NULL OR tenant = :t) AND id > 0 AND id IN (1, 2, 3, 4)
tenant IS NOT NULL AND (:t IS NULL OR tenant = :t)
(:t IS NULL AND paid) OR tenant = :t
((((:t IS NULL))) OR ((tenant = :t)))
COALESCE((SELECT tenant FROM orders WHERE tenant = :t LIMIT 1), tenant) = tenant AND :t IS NULL
(tenant, 1) = (COALESCE(:t, tenant), 1)
INSTR(tenant, COALESCE(:t, '')) > 0
id IN (WITH p (t) AS (SELECT :t) SELECT id FROM orders JOIN p ON p.t IS NULL OR tenant = p.t)
id IN (WITH p (t) AS (VALUES (:t)) SELECT id FROM orders JOIN p ON p.t IS NULL OR tenant = p.t)
tenant BETWEEN COALESCE(:t, '') AND COALESCE(:t, 'zz')
typeof(:t) = 'null' OR tenant = :t
EXISTS (SELECT :t EXCEPT SELECT tenant)
tenant LIKE concat_ws('', :t, '%')
NOT EXISTS (SELECT 1 FROM orders m WHERE m.tenant = :t AND m.id = orders.id)
tenant = (SELECT max(x) FROM (SELECT :t AS x UNION SELECT orders.tenant))
""".strip().splitlines()

STATEMENTS = (
    "INSERT INTO orders (id, tenant) VALUES (1, :t)",
    "UPDATE orders SET paid = 1 WHERE tenant = :t",
    "WITH p AS (SELECT :t AS t) DELETE FROM orders WHERE tenant IN (SELECT t FROM p)",
    "SELECT id FROM orders ORDER BY tenant = :t LIMIT 5",
)


def codes(folder: Path, argument: str, sql: str, ignored: str = "") -> list[str]:
    """The codes that a statement gets whose argument `t` is declared so."""
    specs = folder / "specs"
    specs.mkdir(exist_ok=True)
    (specs / "all_orders.sql").write_text(
        f"/*\n---\nname: all_orders\ndescription: Orders.\n{ignored}"
        f"arguments: {{ inline: {{ t: {{ {argument} }} }} }}\n---\n*/\n{sql}\n"
    )
    connections = {"default": Connection("sqlite", ("sqlite3",))}
    project = Project(connections=connections)
    made = build(Settings(specs=specs, out=folder / "out", project=project))
    return [each.rule.code for each in made.diagnostics]


def of_condition(condition: str) -> str:
    return f"SELECT id FROM orders WHERE {condition}"


@pytest.mark.parametrize("origin", ["from_context: app.tenant", "llm: false"])
@pytest.mark.parametrize("sql", [*map(of_condition, SPELLINGS), *STATEMENTS])
def test_a_tenant_that_may_be_missing_is_refused_wherever_it_stands(
    tmp_path: Path, sql: str, origin: str
) -> None:
    assert "SQL030" in codes(tmp_path, f'type: "string?", {origin}', sql)
    assert "SQL030" not in codes(tmp_path, f"type: string, {origin}", sql)


@pytest.mark.parametrize(
    "argument",
    [
        'type: "string?"',
        "type: string, required: false",
        "type: string, default: ''",
        'type: string, default: "*"',
    ],
)
def test_an_absent_or_defaulted_tenant_is_one_that_may_be_missing(
    tmp_path: Path, argument: str
) -> None:
    sql = of_condition("tenant = :t")
    assert "SQL030" in codes(tmp_path, f"{argument}, from_context: app.tenant", sql)


@pytest.mark.parametrize("origin", ["from_context: app.who", "llm: false"])
@pytest.mark.parametrize("type", ["object", "array", "'int[]', bind: json"])
def test_json_may_lack_what_the_statement_reads_of_it(
    tmp_path: Path, type: str, origin: str
) -> None:
    """A list of values is bound as it is, and None in it is refused."""
    tenant = "json_extract(:t, '$.tenant')"
    sql = of_condition(f"({tenant} IS NULL OR tenant = {tenant})")
    assert "SQL030" in codes(tmp_path, f"type: {type}, {origin}", sql)
    listed = of_condition("tenant IN (:t)")
    assert "SQL030" not in codes(tmp_path, f"type: 'string[]', {origin}", listed)


@pytest.mark.parametrize("origin", ["from_context: app.scope", "llm: false"])
def test_a_hidden_choice_must_be_made(tmp_path: Path, origin: str) -> None:
    argument = f"type: string, enum: [own, all], {origin}"
    choices = "choices: { t: { own: owned, all: '(owned OR shared)' } }\n"
    sql = of_condition("{t}")
    assert "SQL030" in codes(tmp_path, f"{argument}, default: all", sql, choices)
    assert "SQL030" not in codes(tmp_path, argument, sql, choices)


def test_no_filter_that_a_caller_leaves_out_takes_the_tenant_along(
    tmp_path: Path,
) -> None:
    argument = 'type: string, from_context: app.tenant }, q: { type: "string?"'
    both = of_condition("(:q IS NULL OR (name = :q AND tenant = :t))")
    apart = of_condition("tenant = :t AND (:q IS NULL OR name = :q)")
    for variants in ("variants: [q]\n", "variants: true\n"):
        assert "SQL151" in codes(tmp_path, argument, both, variants)
        assert "SQL151" not in codes(tmp_path, argument, apart, variants)


def test_what_a_caller_gives_may_be_left_out(tmp_path: Path) -> None:
    sql = of_condition("(:t IS NULL OR tenant = :t)")
    assert "SQL030" not in codes(tmp_path, 'type: "string?"', sql)


@pytest.mark.parametrize("rule", ["SQL030", "sql030", "hidden-may-be-missing"])
def test_only_a_reason_waives_it(rule: str, tmp_path: Path) -> None:
    said = f"{rule}: support sees all tenants"
    other = "SQL018: rows are listed"
    argument = 'type: "string?", from_context: app.tenant, x-lint-ignore: {{ {} }}'
    sql = of_condition("(:t IS NULL OR tenant = :t)")

    def told(tool: str, at_argument: str) -> list[str]:
        ignored = f"x-lint-ignore: {{ {tool} }}\n"
        return codes(tmp_path, argument.format(at_argument), sql, ignored)

    for waived in ((said, other), (other, said)):
        assert "SQL030" not in told(*waived)
    for waived in (
        (other, other),
        (f"{rule}: ''", other),
        (other, f"{rule}: ''"),
        (f"{rule}: '-'", other),
        (f"{rule}: true", other),
        (f"{rule}: {{ u: support sees all }}", other),
        ("'': support sees all tenants", other),
    ):
        assert "SQL030" in told(*waived)

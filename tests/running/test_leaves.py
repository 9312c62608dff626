"""Leaves at work: read, written, bound and type-checked in generated packages (S4.22-27, O6)."""

from __future__ import annotations

import datetime as dt
import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from fractions import Fraction
from ipaddress import IPv4Address
from pathlib import Path
from typing import Any
from uuid import UUID

import black
import pytest

from support.checkers import MYPY, RUNTIME, assert_clean, checked
from support.project import Built, build

MONEY = '''\
"""What a host program knows of accounts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Iban:
    country: str
    rest: str

    @classmethod
    def parse(cls, text: str) -> Iban:
        if len(text) < 4 or not text[2:].isdigit():
            raise IndexError("not an account")
        return cls(text[:2], text[2:])


def dump(value: Iban) -> str:
    return value.country + value.rest
'''
SPEC = """\
type: leaf
name: iban
description: An account
schema: { type: string, minLength: 4 }
python: { type: "bank_money:Iban", parse: "bank_money:Iban.parse", dump: "bank_money:dump" }
placeholder: XX-PLACEHOLDER
---
type: leaf
name: ip_address
schema: { type: string, format: ipv4 }
python: ipaddress:IPv4Address
sql: string
---
type: leaf
name: share
schema: { type: number, minimum: 0 }
python: { type: "fractions:Fraction", dump: float }
sql: decimal
---
type: leaf
name: day
schema: { type: string, format: date }
sql: date
---
type: entity
name: Account
fields: { account: iban, opened: timestamp, owner: uuid, site: url? }
---
type: python_function
name: transfer
description: Transfer money between two accounts.
arguments:
  inline:
    source: iban
    target: { type: iban, description: Where it goes }
    copies: { type: "iban[]", default: [DE123, DE456] }
    fee: { type: share, default: 0.25 }
    via: ip_address?
    id: uuid
    ids: { type: "uuid[]", required: false }
    at: { type: timestamp, default: "2026-01-18T05:00:00Z" }
    page: url
    account: { type: Account, required: false }
    actor: { type: iban, from_context: app.account }
returns: Account
---
type: sql_function
name: find
description: Find accounts by many marks.
arguments:
  inline: { account: iban, owners: "uuid[]", fee: share?, ip: ip_address, on: day, at: timestamp }
returns: Account[]
sql: |
  SELECT account, opened, owner, site FROM accounts
  WHERE account = :account AND owner IN (:owners) AND (:fee IS NULL OR fee = :fee)
    AND ip = :ip AND opened_on = :on AND opened = :at
"""
OWNER = "123e4567-e89b-12d3-a456-426614174000"
CALL = {"source": "DE99", "target": "AT1234", "id": OWNER, "page": "https://a.example"}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("leaves")
    (folder / "bank_money.py").write_text(MONEY)
    made = build(folder, {"bank.yaml": SPEC})
    assert ["type-not-exact"] == made.slugs
    made.load()
    sys.path.insert(0, str(folder))
    yield made
    sys.path.remove(str(folder))
    sys.modules.pop("bank_money", None)


@pytest.fixture(scope="module")
def transfer(built: Built) -> Any:
    return built.tool("transfer")


def test_a_package_loads_without_the_modules_that_its_leaves_name(built: Built) -> None:
    code = f"import {built.package} as p; p.TOOLS['transfer'].input_schema; print('ok')"
    ran = subprocess.run(
        [sys.executable, "-S", "-c", code],
        cwd=built.folder / "out" / "python",
        env={"PYTHONPATH": str(RUNTIME)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ("ok\n", "") == (ran.stdout, ran.stderr)


def test_values_are_what_their_leaves_make_of_them(transfer: Any) -> None:
    call = transfer.input_type.from_dict({**CALL, "via": "10.0.0.1", "ids": [OWNER]})
    money = sys.modules["bank_money"]
    assert (money.Iban("DE", "99"), money.Iban("AT", "1234")) == (
        call.source,
        call.target,
    )
    assert [money.Iban("DE", "123"), money.Iban("DE", "456")] == call.copies
    assert (Fraction(1, 4), IPv4Address("10.0.0.1")) == (call.fee, call.via)
    assert (UUID(OWNER), [UUID(OWNER)]) == (call.id, call.ids)
    assert dt.datetime(2026, 1, 18, 5, tzinfo=dt.UTC) == call.at
    assert ("https://a.example", None) == (call.page, call.account)


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"via": None, "fee": 0.5, "copies": []},
        {
            "account": {
                "account": "DE1234",
                "opened": "2026-01-18T05:00:00+05:30",
                "owner": OWNER,
            }
        },
    ],
)
def test_values_of_leaves_are_written_and_read_again(
    transfer: Any, more: dict[str, Any]
) -> None:
    call = transfer.input_type.from_dict({**CALL, **more})
    encoded = json.loads(json.dumps(call.to_dict()))
    assert call == transfer.input_type.from_dict(encoded)
    assert CALL.items() <= encoded.items()
    assert call == transfer.input_type.from_call(json.dumps({**CALL, **more}))


def test_all_that_leaves_refuse_is_told_at_once(transfer: Any) -> None:
    wrong = {
        **CALL,
        "source": "DE",
        "target": "no account",
        "copies": ["DE1234", "nope"],
        "via": "10.0.0.256",
        "id": "x",
        "ids": [OWNER, "y"],
        "at": "yesterday",
        "fee": -1,
    }
    with pytest.raises(ValueError) as caught:
        transfer.input_type.from_dict(wrong)
    told = [(each.pointer, each.rule) for each in caught.value.violations]  # type: ignore[attr-defined]
    assert [
        ("/source", "minLength"),
        ("/target", "leaf"),
        ("/copies/1", "leaf"),
        ("/fee", "minimum"),
        ("/via", "format"),
        ("/id", "format"),
        ("/ids/1", "format"),
        ("/at", "format"),
    ] == told


def test_statements_are_given_what_databases_know(built: Built) -> None:
    tool = built.tool("find")
    sql = built.load("sql.find")
    call = tool.input_type.from_dict(
        {
            "account": "DE1234",
            "owners": [OWNER],
            "fee": 0.5,
            "ip": "10.0.0.1",
            "on": "2026-01-18",
            "at": "2026-01-18T05:00:00+01:00",
        }
    )
    values = sql.bind_sqlite3(tool.bound_type.bind(call))
    assert {
        "account": "DE1234",
        "owners": f'["{OWNER}"]',
        "fee": 0.5,
        "ip": "10.0.0.1",
        "on": "2026-01-18",
        "at": "2026-01-18 04:00:00.000000",
    } == values
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute(
            "CREATE TABLE accounts (account, opened, owner, site, fee, ip, opened_on)"
        )
        row = ("DE1234", values["at"], OWNER, None, 0.5, "10.0.0.1", "2026-01-18")
        database.execute("INSERT INTO accounts VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        [found] = database.execute(sql.SQL_SQLITE3, values)
    account = sql.decode(found, ("account", "opened", "owner", "site"))
    assert (call.account, call.owners[0], call.at) == (
        account.account,
        account.owner,
        account.opened,
    )


def test_cells_of_rows_are_read_as_leaves(built: Built) -> None:
    sql = built.load("sql.find")
    columns = ("account", "opened", "owner", "site")
    row = sql.decode(("DE1234", "2026-01-18 04:00:00", OWNER, None), columns)
    assert sys.modules["bank_money"].Iban("DE", "1234") == row.account
    assert (
        UUID(OWNER)
        == row.owner
        == sql.decode(
            ("DE1234", "2026-01-18 04:00:00", UUID(OWNER), None), columns
        ).owner
    )
    assert dt.datetime(2026, 1, 18, 4, tzinfo=dt.UTC) == row.opened
    with pytest.raises(ValueError, match="column 'account'"):
        sql.decode(("what", "2026-01-18 04:00:00", OWNER, None), columns)


@pytest.mark.whole
def test_generated_files_are_laid_out_and_typed(built: Built) -> None:
    root = built.folder / "out" / "python"
    for path in sorted(root.rglob("*.py")):
        text = path.read_text()
        assert text == black.format_str(text, mode=black.Mode()), path
    assert_clean(root, ".", by=[MYPY], packages=built.folder)


@pytest.mark.whole
def test_a_function_that_does_not_fit_is_found_by_the_type_checker(
    tmp_path: Path,
) -> None:
    (tmp_path / "bank_money.py").write_text(MONEY.replace("text: str", "text: int"))
    made = build(tmp_path, {"bank.yaml": SPEC})
    made.load()
    root = tmp_path / "out" / "python"
    ran = checked(root, MYPY, f"{made.package}/_leaves.py", packages=tmp_path)
    assert 'incompatible type "str"; expected "int"' in ran.stdout

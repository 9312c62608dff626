"""What a search finds, in memory and in a file."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from brimgen_runtime.calls import tool_index
from brimgen_runtime.calls.tool_index import ToolIndex

TOOLS = {
    "send_email": ("Send e-mail", "mail notify", "Send a mail to one or more people."),
    "list_orders": ("Orders", "sales", "List the orders of a customer, newest first."),
    "get_order": ("One order", "sales", "Read one order by its number."),
    "getWeatherForecast": ("Forecast", "weather", "Tell the weather of the next days."),
    "archive_mailbox": ("Archive", "", "Move old messages of a mailbox away."),
    "preis_\u00e4ndern": (
        "Preis \u00e4ndern",
        "",
        "\u4fee\u6539\u5546\u54c1\u4ef7\u683c",
    ),
}


def texts(name: str, title: str, tags: str, description: str) -> dict[str, str]:
    return {"names": name, "title": title, "tags": tags, "description": description}


ALL = [texts(name, *rest) for name, rest in TOOLS.items()]


def found(index: ToolIndex, query: str) -> list[str]:
    ranked = sorted(index.search(query).items(), key=lambda match: match[1])
    return [list(TOOLS)[position] for position, _ in ranked]


@pytest.fixture(scope="module")
def index() -> ToolIndex:
    return ToolIndex(ALL)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("send mail", "send_email"),
        ("list orders", "list_orders"),
        ("weather service", "getWeatherForecast"),
        ("forec", "getWeatherForecast"),
        ("weathre", "getWeatherForecast"),
        ("lsit order", "list_orders"),
        ("ORDERS", "list_orders"),
        ("preis andern", "preis_\u00e4ndern"),
        ("\u4ef7\u683c", "preis_\u00e4ndern"),
    ],
)
def test_a_user_finds_a_tool_by_what_it_does(
    index: ToolIndex, query: str, first: str
) -> None:
    assert first == found(index, query)[0]


def test_the_query_language_of_the_index_is_text_to_users(index: ToolIndex) -> None:
    for query in (
        '"',
        "NEAR(",
        "mail*",
        "names:mail",
        "a AND",
        "- (",
        "'; DROP TABLE tools",
        "x " * 500,
    ):
        index.search(query)
    assert "send_email" in found(index, 'mail" OR "x')


def test_an_index_in_a_file_follows_its_tools(tmp_path: Path) -> None:
    file = tmp_path / "index.sqlite3"
    assert ["send_email"] == found(ToolIndex(ALL[:1], file), "mail")
    assert ["list_orders", "get_order"] == found(ToolIndex(ALL, file), "orders")
    made = file.stat().st_mtime_ns
    assert ["list_orders", "get_order"] == found(ToolIndex(ALL, file), "orders")
    assert made == file.stat().st_mtime_ns


def test_a_damaged_index_file_is_made_again(tmp_path: Path) -> None:
    file = tmp_path / "index.sqlite3"
    ToolIndex(ALL[:1], file)
    file.write_bytes(file.read_bytes()[:100] + b"damaged" * 999)
    assert "send_email" == found(ToolIndex(ALL, file), "email")[0]
    made = ToolIndex(ALL, file)
    assert "send_email" == found(made, "email")[0]
    with closing(sqlite3.connect(file)) as opened:
        assert (len(ALL),) == opened.execute("SELECT count(*) FROM tools").fetchone()


@pytest.mark.parametrize("mark", [0, 7])
def test_a_database_of_the_user_is_never_changed(tmp_path: Path, mark: int) -> None:
    file = tmp_path / "mine.sqlite3"
    with closing(sqlite3.connect(file)) as mine:
        mine.executescript(
            f"PRAGMA application_id = {mark}; CREATE TABLE tools (name);"
            "CREATE TABLE content (digest); INSERT INTO tools VALUES ('hammer');"
        )
    before = file.read_bytes()
    with pytest.raises(ValueError, match=r"mine\.sqlite3 is not an index of tools"):
        ToolIndex(ALL, file)
    assert before == file.read_bytes()


@pytest.mark.parametrize("content", [b"my notes\n" * 999, b"x", b"SQLite format 3\0"])
def test_a_file_of_the_user_that_is_no_database_is_never_removed(
    tmp_path: Path, content: bytes
) -> None:
    file = tmp_path / "notes.txt"
    file.write_bytes(content)
    with pytest.raises(ValueError, match=r"notes\.txt is not an index of tools"):
        ToolIndex(ALL, file)
    assert content == file.read_bytes()


def test_an_index_file_that_another_process_writes_is_not_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tool_index, "_LOCK_SECONDS", 0)
    file = tmp_path / "index.sqlite3"
    ToolIndex(ALL[:1], file)
    with closing(sqlite3.connect(file)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        assert "send_email" == found(ToolIndex(ALL, file), "email")[0]
        assert file.exists()


def test_without_a_folder_to_write_in_the_index_is_in_memory(tmp_path: Path) -> None:
    assert "send_email" == found(ToolIndex(ALL, tmp_path / "gone" / "x"), "email")[0]

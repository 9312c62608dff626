"""``resolve_relative_date``: the shipped spec, its reference function, a fixed clock (row J8)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from brimgen.library import NAMES, spec
from brimgen.library.__main__ import main
from brimgen.library.dates import resolve, resolver
from support.project import build

NEW_YORK = ZoneInfo("America/New_York")
NOW = datetime(2026, 1, 17, 20, 30, tzinfo=NEW_YORK)
"""A Saturday evening, when it is Sunday in UTC already."""

DAYS = {
    "today": "2026-01-17",
    "Today": "2026-01-17",
    "tomorrow": "2026-01-18",
    "yesterday": "2026-01-16",
    "day after tomorrow": "2026-01-19",
    "the day after tomorrow": "2026-01-19",
    "in 3 days": "2026-01-20",
    "in two weeks": "2026-01-31",
    "3 days ago": "2026-01-14",
    "friday": "2026-01-23",
    "next friday": "2026-01-23",
    "2026-02-03": "2026-02-03",
    "february 3": "2026-02-03",
}
SPANS = {
    "next_week": ("2026-01-19", 7),
    "next week": ("2026-01-19", 7),
    "this week": ("2026-01-12", 7),
    "last week": ("2026-01-05", 7),
    "this weekend": ("2026-01-17", 2),
    "next_weekend": ("2026-01-24", 2),
    "this month": ("2026-01-01", 31),
    "next month": ("2026-02-01", 28),
    "last_month": ("2025-12-01", 31),
}
MOMENTS = {
    "tomorrow at 5pm": "2026-01-18T17:00:00",
    "friday at 9:15": "2026-01-23T09:15:00",
    "in 3 hours": "2026-01-17T23:30:00",
    "2026-03-01 08:00": "2026-03-01T08:00:00",
}


def local(text: str) -> datetime:
    """A moment in the user's zone, in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=NEW_YORK).astimezone(UTC)


@pytest.mark.parametrize(("phrase", "day"), DAYS.items())
def test_a_day_is_its_start_in_the_zone_of_the_user(phrase: str, day: str) -> None:
    assert [local(day)] == resolve(phrase, NOW, NEW_YORK)


@pytest.mark.parametrize(
    ("phrase", "first", "count"), [(k, *v) for k, v in SPANS.items()]
)
def test_several_days_are_told_one_by_one(phrase: str, first: str, count: int) -> None:
    start = datetime.fromisoformat(first)
    expected = [
        local((start + timedelta(days=each)).isoformat()) for each in range(count)
    ]
    assert expected == resolve(phrase, NOW, NEW_YORK)


@pytest.mark.parametrize(("phrase", "moment"), MOMENTS.items())
def test_a_moment_keeps_its_time(phrase: str, moment: str) -> None:
    assert [local(moment)] == resolve(phrase, NOW, NEW_YORK)


def test_the_zone_decides_which_day_it_is() -> None:
    assert [datetime(2026, 1, 18, tzinfo=UTC)] == resolve("today", NOW, ZoneInfo("UTC"))
    clocks = datetime(2026, 3, 7, 12, tzinfo=NEW_YORK)
    starts = resolve("next week", clocks, NEW_YORK)
    assert {4} == {each.astimezone(UTC).hour for each in starts}
    assert [5, 4] == [
        each.astimezone(UTC).hour
        for text in ("tomorrow", "in 2 days")
        for each in resolve(text, clocks, NEW_YORK)
    ]


def test_the_text_of_a_day_begins_with_the_date_that_the_user_means() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    now = datetime(2026, 7, 13, 23, 30, tzinfo=berlin)
    texts = [each.isoformat() for each in resolve("tomorrow", now, berlin)]
    assert ["2026-07-14T00:00:00+02:00"] == texts
    gap = datetime(2026, 3, 28, 12, tzinfo=berlin)
    texts = [each.isoformat() for each in resolve("tomorrow at 2:30", gap, berlin)]
    assert ["2026-03-29T03:30:00+02:00"] == texts


def test_the_spec_builds_and_the_model_is_told_the_moments(tmp_path: Path) -> None:
    made = build(tmp_path, {"a.yaml": spec("resolve_relative_date")})
    assert [] == made.slugs
    module: Any = made.load("service")
    assert ("resolve_relative_date",) == module.Service().tools
    service = module.Service(
        handlers={"resolve_relative_date": resolver(lambda: NOW)}, context={}
    )
    context = {"app": {"user": {"timezone": "America/New_York"}}}
    outcome = service.outcome(
        "resolve_relative_date", {"phrase": "tomorrow"}, context=context
    )
    assert {
        "ok": True,
        "value": {"resolved_datetimes": ["2026-01-18T00:00:00-05:00"]},
    } == outcome.to_dict()
    assert ["2026-01-18T00:00:00Z"] == service.call(
        "resolve_relative_date", '{"phrase": "today"}'
    )["resolved_datetimes"]
    refused = service.outcome(
        "resolve_relative_date", {"phrase": "today", "timezone": "UTC"}
    )
    assert "invalid_arguments" == refused.code


def test_the_spec_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main(["resolve_relative_date"])
    assert spec("resolve_relative_date") == capsys.readouterr().out
    assert 2 == main([])
    assert ("resolve_relative_date",) == NAMES
    with pytest.raises(LookupError):
        spec("../x")

"""Formats: what is accepted, and that what is accepted as a date or datetime decodes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimgen_runtime.records.encode import to_json_value
from brimgen_runtime.schema.formats import is_date, is_datetime
from brimgen_runtime.schema.texts import HOMES, format_test
from brimgen_runtime.schema.times import to_date, to_datetime
from brimgen_runtime.schema.validator import Validator


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-01-18", True),
        ("2024-02-29", True),
        ("2026-99-99", False),
        ("2026-02-30", False),
        ("26-01-18", False),
        ("2026/01/18", False),
        ("2026-01-18\n", False),
        ("２０２６-01-18", False),
        ("2026-W03-7", False),
        ("20260118", False),
        ("2026-018", False),
        ("0000-01-01", False),
        ("2026-01-18T05:00:00Z", False),
        ("", False),
    ],
)
def test_dates_of_row_j3(text: str, expected: bool) -> None:
    assert expected is is_date(text)
    if expected:
        assert text == to_date(text).isoformat()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-01-18T05:00:00Z", datetime(2026, 1, 18, 5, tzinfo=UTC)),
        ("2026-01-18t05:00:00z", datetime(2026, 1, 18, 5, tzinfo=UTC)),
        (
            "2026-01-18T05:00:00+05:30",
            datetime(2026, 1, 18, 5, tzinfo=timezone(timedelta(minutes=330))),
        ),
        (
            "2026-01-18T05:00:00-08:00",
            datetime(2026, 1, 18, 5, tzinfo=timezone(-timedelta(hours=8))),
        ),
        (
            "2026-01-18T05:00:00.123456789Z",
            datetime(2026, 1, 18, 5, 0, 0, 123456, tzinfo=UTC),
        ),
        (
            "2026-01-18T05:00:00.123Z",
            datetime(2026, 1, 18, 5, 0, 0, 123000, tzinfo=UTC),
        ),
        (
            "2026-01-18T05:00:00.123456-08:00",
            datetime(2026, 1, 18, 5, 0, 0, 123456, timezone(-timedelta(hours=8))),
        ),
        (
            "2016-12-31T23:59:60Z",
            datetime(2016, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
        ),
        ("2026-01-18T05:00:00", None),
        ("2026-01-18", None),
        ("2026-01-18 05:00:00Z", None),
        ("20260118T050000Z", None),
        ("2026-W03-7T05:00:00Z", None),
        ("2026-01-18T05Z", None),
        ("2026-01-18T05:00Z", None),
        ("2026-01-18T05:00:00+05", None),
        ("2026-01-18T05:00:00+0530", None),
        ("2026-01-18T05:00:00+05:60", None),
        ("2026-01-18T05:00:00+24:00", None),
        ("2026-01-18T24:00:00Z", None),
        ("2026-01-18T05:00:00,5Z", None),
        ("2026-01-18T05:00:00.Z", None),
        ("2026-01-18T05:00:00.+05:30", None),
        ("2026-01-18T05:00:00.123456x", None),
        ("2026-01-18T05:00:00.12x456Z", None),
        ("2026-01-18T05:00:00.5+05:60", None),
        ("2026-01-18T05:00:00.5+0530", None),
        ("2026-01-18T05:00:00.5 05:30", None),
        ("2026-01-18T12:00:60Z", None),
        ("2026-01-18T05:00:00Z\n", None),
        ("2026-01-18T05:00:0٣Z", None),
        ("tomorrow", None),
    ],
)
def test_datetimes_of_row_j4(text: str, expected: datetime | None) -> None:
    assert (expected is not None) is is_datetime(text)
    if expected is None:
        with pytest.raises(ValueError):
            to_datetime(text)
    else:
        read = to_datetime(text)
        assert (expected, expected.utcoffset()) == (read, read.utcoffset())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-01-18T05:00:00", True),
        ("2026-01-18T05:00:00+05:30", True),
        ("2026-02-30T05:00:00", False),
        ("2025-02-29T05:00:00", False),
        ("2026-01-18", False),
    ],
)
def test_a_field_that_assumes_utc_is_checked_as_it_is_read(
    text: str, expected: bool
) -> None:
    schema = {"type": "string", "pattern": "^[0-9]", "x-tz": "assume-utc"}
    assert expected is Validator(schema).is_valid(text)


_NEAR = st.text(alphabet="0123456789TtZz:+-. ٣", max_size=30) | st.builds(
    lambda text, at, char: text[:at] + char + text[at + 1 :],
    st.sampled_from(["2026-01-18T05:00:00Z", "2016-12-31T23:59:60.5+00:00"]),
    st.integers(0, 26),
    st.sampled_from("0123456789TtZz:+-.,W ٣"),
)


@given(_NEAR)
def test_what_is_accepted_decodes_and_survives_the_way_back(text: str) -> None:
    if is_datetime(text):
        read = to_datetime(text)
        again = to_json_value(read)
        assert is_datetime(again)
        assert read == to_datetime(again)
    else:
        with pytest.raises(ValueError):
            to_datetime(text)


GOOD = {
    "duration": ["P1Y", "PT5M", "P1W", "P1DT12H", "P1Y2M3DT4H5M6S"],
    "email": [
        "joe@example.com",
        "joe@ab--cd.com",
        '"a b"@example.com',
        "joe@[127.0.0.1]",
    ],
    "hostname": ["example.com", "a", "xn--9n2bp8q.xn--9t4b11yi5a"],
    "idn-email": ["실례@실례.테스트", "user@cafe\u0301.com", "u@BÜCHER.example"],
    "idn-hostname": ["실례.테스트", "example.com"],
    "ipv4": ["127.0.0.1", "255.255.255.255"],
    "ipv6": [
        "::1",
        "::",
        "1::8",
        "::ffff:192.0.2.1",
        "1:2:3:4:5:6:7:8",
        "1:2:3:4:5:6:7::",
    ],
    "iri": ["http://ƒøø.ßår/?∂éœ=πîx#πîüx"],
    "iri-reference": ["âππ", "#ƒrägmênt"],
    "json-pointer": ["", "/a/b~0/c~1"],
    "relative-json-pointer": ["1", "0/foo", "2#"],
    "time": ["08:30:06Z", "23:59:60Z", "08:30:06.5-08:00"],
    "uri": ["http://a/b?c#d", "urn:oasis:x", "http://[::1]:80/", "mailto:a@b", "a:"],
    "uri-reference": ["/abc", "//a/b", "?x", "", "a/b:c"],
    "uri-template": ["http://x/{a}/{+b}{?c,d*}", "{a:3}", "a'b"],
    "uuid": ["2eb8aa08-aa98-11ea-b4aa-73b441d16380"],
    "regex": [
        "([abc])+\\s+$",
        "(?<name>x)\\k<name>",
        "(?<=a+)b",
        "(?<!a|bc)d",
        "(?i:a)b",
        "(?s-i:.)",
        "\\1(a)",
        "\\p{Script=Greek}[\\p{Emoji}]",
    ],
}
BAD = {
    "duration": ["P", "PT", "P1", "1Y", "P1YT", "P2D1Y", "P1W1D", "P1Y\n", "P٣D"],
    "email": ["joe", "joe@", "@a", ".a@b", "a..b@c", "a b@c", "joe@[127.0.0.300]"],
    "hostname": ["", "-a", "a-", "a_b", "a..b", "a" * 64, "xn--X", "a\n", "a."],
    "idn-email": ["2962", "a@-b"],
    "idn-hostname": ["〮실례.테스트", "-hello", "a·l"],
    "ipv4": ["127.0.0.300", "1.2.3", "01.2.3.4", "1.2.3.4\n", "٣.2.3.4"],
    "ipv6": [
        ":",
        ":::1",
        "1::2::3",
        "12345::",
        "1:2:3:4:5:6:7",
        "::1%eth0",
        "1:2:3:4:5:6:7:8::",
    ],
    "iri": ["/abc", "http://2001:0db8::7334", "âππ"],
    "iri-reference": ["\\\\WINDOWS\\filëßåré", "#ƒräg\\mênt"],
    "json-pointer": ["a", "/~2", "/a~", "#/a"],
    "relative-json-pointer": ["", "-1", "01/a", "/a", "0##"],
    "time": ["08:30:06", "24:00:00Z", "08:30:60Z", "08:30:06 PST"],
    "uri": [
        "//a",
        "/abc",
        "abc",
        "http://a b",
        "http://a/%zz",
        "http://[1::2::3]/",
        ":a",
        "ä:b",
    ],
    "uri-reference": ["\\\\a", "#a\\b", "a:b c", ":a"],
    "uri-template": ["{a", "a}", "{a b}", "{a:99999}", "<a>"],
    "uuid": [
        "2eb8aa08aa9811eab4aa73b441d16380",
        "2eb8aa08-aa98-11ea-b4aa-73b441d1638g",
    ],
    "regex": ["^(abc]", "[z-a]", "a**", "\\a", "(?P<x>a)", "(?i)a", "(?-:a)", "(?<=a"],
}


@pytest.mark.parametrize("name", sorted(HOMES))
def test_each_format_says_yes_and_no(name: str) -> None:
    if name in ("date", "date-time"):
        return
    check = format_test(name)
    assert check is not None
    assert [] == [each for each in GOOD[name] if not check(each)]
    assert [] == [each for each in BAD[name] if check(each)]


@given(st.text(max_size=40))
def test_no_format_ever_raises(text: str) -> None:
    for check in filter(None, map(format_test, HOMES)):
        assert check(text) in (True, False)

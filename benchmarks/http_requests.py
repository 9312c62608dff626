"""What a request costs to build, beside f-strings, yarl and httpx.

    python benchmarks/http_requests.py [--rounds 15]

Work: a GET with a value in its path, three pairs in its query and three headers, from arguments
that are decoded already; plain values, and values of which every character must be encoded. The
module of ours is made by the real generator. Each figure is the CPU time of many requests, the
median of several rounds in which all contestants take turns, as a multiple of the f-string that
quotes by hand. What they do differs: ours refuses what would change the structure of the request,
knows its host, and makes a whole request; a bare f-string encodes nothing and is here as the floor;
yarl makes a URL; httpx a URL, or a whole request.
"""

from __future__ import annotations

import argparse
import importlib
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
from yarl import URL

SPEC = """\
type: http_function
name: find_events
arguments: { inline: { parcel: string, lang: string, since: string, limit: int } }
secrets: [TOKEN]
allowedHosts: [api.example.com]
request:
  urlTemplate: https://api.example.com/v2/parcels/${parcel}/events
  query: { lang: "${lang}", since: "${since}", limit: "${limit}" }
  headers: { X-Client: shop }
  auth: { type: bearer, token: "${TOKEN}" }
returns: object
"""
BASE = "https://api.example.com/v2/parcels"
SECRETS = {"TOKEN": "t0ken"}
VALUES = {
    "plain": ("ABCDEFGHIJ12", "en", "2026-02-03", 20),
    "encoded": ("a/b?c=d&e #%", "ü&ß", "03/02 12:30+01:00", 20),
}
QUOTED = "f-string and quote"
_SLICE = 0.01
"""Seconds that one contestant runs before the next one has its turn."""

Values = tuple[str, str, str, int]


def ours(folder: Path) -> Callable[[Values], Callable[[], object]]:
    """Generate the package; return what makes a contestant of it."""
    (folder / "specs").mkdir()
    (folder / "specs" / "tool.yaml").write_text(SPEC, encoding="utf-8")
    (folder / "brimgen.yaml").write_text("package: made\ntargets: [python, http]\n")
    command = [sys.executable, "-m", "brimgen", "generate"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    sys.path.insert(0, str(folder / "out" / "python"))
    build: Any = importlib.import_module("made.http.find_events").build
    bound: Any = importlib.import_module("made.tools.find_events").FindEventsBound

    def contestant(values: Values) -> Callable[[], object]:
        given = bound(*values)
        return lambda: build(given, SECRETS)

    return contestant


def bare(values: Values) -> Callable[[], object]:
    """An f-string that encodes nothing."""
    parcel, lang, since, limit = values
    return lambda: f"{BASE}/{parcel}/events?lang={lang}&since={since}&limit={limit}"


def quoted(values: Values) -> Callable[[], object]:
    """An f-string whose values are quoted by hand, and the headers."""
    parcel, lang, since, limit = values

    def run() -> object:
        url = (
            f"{BASE}/{quote(parcel, safe='')}/events?lang={quote(lang, safe='')}"
            f"&since={quote(since, safe='')}&limit={limit}"
        )
        return url, {"X-Client": "shop", "Authorization": f"Bearer {SECRETS['TOKEN']}"}

    return run


def yarl_url(values: Values) -> Callable[[], object]:
    """yarl: a segment joined, and a query."""
    parcel, lang, since, limit = values
    base = URL(BASE)

    def run() -> object:
        # `/` takes a text for several segments: one that has slashes is encoded before.
        path = base.joinpath(quote(parcel, safe=""), "events", encoded=True)
        return path.with_query({"lang": lang, "since": since, "limit": limit})

    return run


def httpx_url(values: Values) -> Callable[[], object]:
    """httpx: a URL with its query."""
    parcel, lang, since, limit = values

    def run() -> object:
        params = {"lang": lang, "since": since, "limit": limit}
        return httpx.URL(f"{BASE}/{quote(parcel, safe='')}/events", params=params)

    return run


def httpx_request(values: Values) -> Callable[[], object]:
    """httpx: a whole request."""
    parcel, lang, since, limit = values

    def run() -> object:
        return httpx.Request(
            "GET",
            f"{BASE}/{quote(parcel, safe='')}/events",
            params={"lang": lang, "since": since, "limit": limit},
            headers={
                "Accept": "application/json",
                "X-Client": "shop",
                "Authorization": f"Bearer {SECRETS['TOKEN']}",
            },
        )

    return run


def per_run(run: Callable[[], object]) -> float:
    """CPU seconds of one run."""
    count = 0
    begun = time.process_time()
    while (taken := time.process_time() - begun) < _SLICE:
        for _ in range(100):
            run()
        count += 100
    return taken / count


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a row for each contestant."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        makers = {
            "f-string, nothing encoded": bare,
            QUOTED: quoted,
            "brimgen `build`, checked": ours(Path(folder)),
            "yarl, the URL": yarl_url,
            "httpx, the URL": httpx_url,
            "httpx, the request": httpx_request,
        }
        medians: dict[str, list[float]] = {name: [] for name in makers}
        for values in VALUES.values():
            runs = {name: maker(values) for name, maker in makers.items()}
            taken: dict[str, list[float]] = {name: [] for name in runs}
            for _ in range(options.rounds):
                for name, run in runs.items():
                    taken[name].append(per_run(run))
            for name, each in taken.items():
                medians[name].append(statistics.median(each))
    print(f"\n| a request, as a multiple of `{QUOTED}` | {' | '.join(VALUES)} |")
    print("|---|" + "---:|" * len(VALUES))
    for name, found in medians.items():
        ratios = [
            f"{own / base:.2f}"
            for own, base in zip(found, medians[QUOTED], strict=True)
        ]
        print(f"| {name} | {' | '.join(ratios)} |", flush=True)


if __name__ == "__main__":
    main()

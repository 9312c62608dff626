"""Names that lead to private addresses: refused at the address that would be spoken to."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from support.loopback import answer, redirect

ITEM = '{"id": 7, "name": "Lamp"}'
TOKEN = {"TOKEN": "t0ken"}


PRIVATE = """
127.0.0.1 0.0.0.0 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 224.0.0.1
240.0.0.1 255.255.255.255 ::1 :: ::ffff:127.0.0.1 ::ffff:169.254.169.254 ::127.0.0.1
64:ff9b::7f00:1 64:ff9b:1::1 2002:7f00:1:: fe80::1 fec0::1 fd00:ec2::254 ff02::1
"""


@pytest.fixture
def looked_up(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """The addresses of names, in place of a name server; others are looked up as usual."""
    names: dict[str, list[str]] = {}
    usual = socket.getaddrinfo

    def look(host: str, port: int, *rest: Any, **given: Any) -> Any:
        if host not in names:
            return usual(host, port, *rest, **given)
        found = names[host]
        answers = found.pop(0) if len(found) > 1 else found[0]
        return [
            found
            for each in answers.split()
            for found in usual(each, port, *rest, **given)
        ]

    monkeypatch.setattr(socket, "getaddrinfo", look)
    return names


def _roam(world: Any, name: str, **transport: Any) -> Any:
    """Speak to a name at the port of ``here``, which it may."""
    http, tool = world.http, world.tool("roam")
    host = http.Host(name, port=world.here.port)
    plan = http.Plan(tool="roam", hosts=(host, http.Host("x.example")))
    request = http.Request("GET", f"http://{name}:{world.here.port}/x")
    options, _ = world.options()
    return world.module("_run").run(
        plan,
        lambda: request,
        tool.CALL.decode,
        transport=http.StdlibTransport(**transport),
        options=options,
    )


@pytest.mark.parametrize("address", PRIVATE.split())
def test_names_do_not_lead_to_private_addresses(world: Any, address: str) -> None:
    is_open = world.module("_stdlib").is_open
    assert not is_open("api.example.com", address)
    assert is_open(f"[{address}]" if ":" in address else address, address)


@pytest.mark.parametrize(
    "address", ["93.184.215.14", "2606:2800:21f:cb07::1", "64:ff9b::5db8:d70e"]
)
def test_names_lead_to_public_addresses(world: Any, address: str) -> None:
    is_open = world.module("_stdlib").is_open
    assert is_open("api.example.com", address)
    assert not is_open("localhost", address)
    assert not is_open("api.localhost", address)


def test_odd_spellings_are_names_and_no_addresses(world: Any) -> None:
    is_open = world.module("_stdlib").is_open
    for host in ("127.1", "2130706433", "0x7f.0.0.1", "0177.0.0.1", "localhost.x"):
        assert not is_open(host, "127.0.0.1")


def test_nothing_is_sent_to_a_private_address(
    world: Any, looked_up: dict[str, list[str]]
) -> None:
    looked_up["api.example.com"] = ["127.0.0.1"]
    world.here.says(answer(200, ITEM))
    error = _roam(world, "api.example.com").error
    assert {
        "code": "host_not_allowed",
        "message": "roam: the URL is refused: its host has a private address",
    } == error.to_dict()
    assert "StdlibTransport(allow_private=True)" in error.detail
    assert (1, []) == (error.attempts, world.here.heard)


def test_who_has_services_inside_says_so(
    world: Any, looked_up: dict[str, list[str]]
) -> None:
    looked_up["billing.internal"] = ["127.0.0.1"]
    world.here.says(answer(200, ITEM))
    assert _roam(world, "billing.internal", allow_private=True).ok
    assert f"billing.internal:{world.here.port}" == world.here.only.header("host")


def test_the_answer_that_counts_is_the_one_that_is_connected_to(
    world: Any, looked_up: dict[str, list[str]]
) -> None:
    """A name server that says something else the second time is not asked a second time."""
    looked_up["api.example.com"] = ["127.0.0.1", "93.184.215.14"]
    world.here.says(answer(200, ITEM))
    assert "host_not_allowed" == _roam(world, "api.example.com").error.code
    assert ["93.184.215.14"] == looked_up["api.example.com"]


def test_of_several_addresses_the_open_ones_are_taken(
    world: Any, monkeypatch: pytest.MonkeyPatch, looked_up: dict[str, list[str]]
) -> None:
    tried: list[str] = []

    def connect(self: socket.socket, address: tuple[str, int]) -> None:
        tried.append(address[0])
        raise ConnectionRefusedError(111, "refused")

    looked_up["api.example.com"] = ["10.0.0.1 93.184.215.14 192.168.0.1"]
    monkeypatch.setattr(socket.socket, "connect", connect)
    error = _roam(world, "api.example.com").error
    assert ["93.184.215.14"] * 3 == tried
    assert ("connection_failed", 3) == (error.code, error.attempts)


def test_a_redirect_to_an_allowed_name_is_looked_at_as_well(
    world: Any, looked_up: dict[str, list[str]]
) -> None:
    looked_up["x.example"] = ["169.254.169.254"]
    world.here.says(redirect("http://x.example/latest/meta-data"))
    error = _roam(world, "localhost").error
    assert "host_not_allowed" == error.code
    assert ["/x"] == [each.target for each in world.here.heard]


def test_this_machine_by_its_name_and_by_its_address(
    world: Any, looked_up: dict[str, list[str]]
) -> None:
    for name in ("localhost", "127.0.0.1"):
        world.here.says(answer(200, ITEM))
        assert _roam(world, name).ok
    looked_up["localhost"] = ["10.0.0.1"]
    assert "host_not_allowed" == _roam(world, "localhost").error.code

"""Which of the tools that are new a tool that is gone looks renamed to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from brimgen.contract.changes import find_renames
from brimgen.contract.published import Contract

INT = {"type": "integer"}
NOTHING: dict[str, Any] = {"type": "object", "properties": {}}


def _takes(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def _some(inputs: dict[str, Any]) -> Mapping[str, Contract]:
    """Contracts by name; `said` is what is written about a tool, no part of its input."""
    return {
        name: Contract(
            name=name,
            input={key: each for key, each in schema.items() if key != "said"},
            words={"description": schema["said"]} if "said" in schema else {},
        )
        for name, schema in inputs.items()
    }


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({"find": _takes(id=INT)}, {"seek": _takes(id=INT)}, {"find": "seek"}),
        ({"find": _takes(id=INT)}, {"seek": _takes(key=INT)}, {}),
        ({"find": _takes(id=INT)}, {"seek": _takes(id={"type": "string"})}, {}),
        (
            {"find": _takes(id=INT)},
            {"seek": _takes(id={**INT, "description": "Which"})},
            {"find": "seek"},
        ),
        (
            {"find": _takes(description=INT)},
            {"seek": _takes(title=INT)},
            {},
        ),
        (
            {"find": _takes(id=INT), "get_one": _takes(id=INT)},
            {"get_any": _takes(id=INT), "finder": _takes(id=INT)},
            {"find": "finder", "get_one": "get_any"},
        ),
        (
            {"find": _takes(id=INT), "seek": _takes(id=INT)},
            {"find": _takes(id=INT), "look": _takes(id=INT)},
            {"seek": "look"},
        ),
        ({"find": NOTHING}, {"drop_all": NOTHING}, {}),
        ({"list_all": NOTHING}, {"list_any": NOTHING}, {"list_all": "list_any"}),
        (
            {"find": NOTHING | {"said": "Lists."}},
            {"drop_all": NOTHING | {"said": "Lists."}},
            {"find": "drop_all"},
        ),
        (
            {"find": _takes(id=INT) | {"said": "Lists."}},
            {
                "finds": _takes(id=INT) | {"said": "Drops."},
                "index": _takes(id=INT) | {"said": "Lists."},
            },
            {"find": "index"},
        ),
    ],
)
def test_a_new_name_is_guessed_from_what_else_is_alike(
    old: dict[str, Any], new: dict[str, Any], expected: dict[str, str]
) -> None:
    assert expected == find_renames(_some(old), _some(new))


def test_among_very_many_there_is_no_guess() -> None:
    old = _some({f"find_{at}": _takes(id=INT) for at in range(101)})
    assert {} == find_renames(old, _some({"seek": _takes(id=INT)}))

"""A package hands out its descriptors: all that a file holds, or the tools that are asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.project import Built, build

SPECS = {
    "bundle.yaml": "type: bundle\nname: desk\n",
    "a.yaml": "type: python_function\nname: look\ndescription: Look.\nbundle: desk\n"
    "arguments: { inline: { n: int } }\n",
    "b.yaml": "type: python_function\nname: act\ndescription: Act.\n"
    "arguments: { inline: { n: int } }\n",
    "c.md": "---\ntype: template_function\nname: write\ndescription: Write.\n"
    "arguments: { inline: { n: int } }\n---\nWrite {{ args.n }} lines.\n",
}
TARGETS = ("python", "openai", "mcp", "anthropic", "gemini", "bundles")
PROFILES = ("openai", "openai_azure", "mcp", "anthropic", "gemini")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("described")
    return build(folder, SPECS, targets=TARGETS, profiles=PROFILES)


def names(tools: list[Any]) -> list[str]:
    return [tool.get("function", tool)["name"] for tool in tools]


def test_each_function_returns_what_the_file_holds(
    built: Built, tmp_path: Path
) -> None:
    assert [] == [each.message for each in built.diagnostics]
    made = built.load().descriptors
    alone = build(tmp_path, SPECS, targets=("openai",), profiles=PROFILES)
    assert "openai/chat.json" not in " ".join(built.files)
    assert alone.sent("openai/chat.json") == made.openai()
    assert alone.sent("openai/azure/chat.json") == made.openai(profile="openai_azure")
    assert alone.sent("openai/responses.json") == built.sent("openai/responses.json")
    assert built.sent("openai/responses.json") == made.openai(api="responses")
    azure = made.openai(profile="openai_azure", api="responses")
    assert built.sent("openai/azure/responses.json") == azure
    assert built.sent("anthropic/tools.json") == made.anthropic()
    assert built.sent("gemini/tools.json") == made.gemini()
    assert built.sent("mcp/tools.json") == {"tools": made.mcp()}
    assert built.sent("mcp/prompts.json") == {"prompts": made.mcp(kind="prompts")}
    assert [] == made.mcp(kind="resources") == made.mcp(kind="resource_templates")


def test_tools_are_chosen_by_bundle_and_by_name(built: Built) -> None:
    made = built.load().descriptors
    assert ["act", "look"] == names(made.openai()) == names(made.anthropic())
    assert (
        ["look"] == names(made.openai(bundle="desk")) == names(made.mcp(bundle="desk"))
    )
    assert ["act"] == names(made.openai(only=["act"], api="responses"))
    [group] = made.gemini(only={"act"})
    assert ["act"] == names(group["functionDeclarations"])
    for wrong in ({"only": ["act", "fly"]}, {"bundle": "des"}):
        with pytest.raises(ValueError, match="there is no"):
            made.anthropic(**wrong)
    with pytest.raises(ValueError, match="there is no act"):
        made.anthropic(bundle="desk", only=["act"])


def test_a_caller_changes_no_other_callers_tools(built: Built) -> None:
    made = built.load().descriptors
    made.anthropic()[0]["name"] = "changed"
    assert ["act", "look"] == names(made.anthropic())


def test_a_package_without_its_data_says_so(tmp_path: Path) -> None:
    built = build(tmp_path, SPECS, targets=("python", "anthropic"))
    made = built.load().descriptors
    assert ["anthropic"] == [
        name for name in ("anthropic", "mcp") if hasattr(made, name)
    ]
    (Path(made.__file__).parent / "anthropic/tools.json").unlink()
    with pytest.raises(RuntimeError, match=r"anthropic/tools\.json is missing"):
        made.anthropic()

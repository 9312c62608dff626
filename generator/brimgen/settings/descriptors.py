"""Read the settings of descriptors into DescriptorOptions.

::

    [tool.brimgen.descriptors]
    profiles = ["openai", "mcp", "anthropic", "gemini"]
    strict_loss = true       # what is lost and said by nothing else is an error
    token_budget = 20000     # what the set of one profile may come to
    tool_budget = 8000       # what the schema of one descriptor may take
"""

from __future__ import annotations

from brimgen.model.project import DescriptorOptions
from brimgen.model.targets import profile_names
from brimgen.settings.values import SettingReader, positive_count, take_flag, take_names


def take_descriptors(reader: SettingReader) -> DescriptorOptions:
    """Read ``descriptors``."""
    default = DescriptorOptions()
    inner = reader.mapping("descriptors")
    descriptor_options = DescriptorOptions(
        profiles=take_names(inner, "profiles", profile_names()) or default.profiles,
        strict_loss=take_flag(inner, "strict_loss", False),
        token_budget=inner.take(
            "token_budget", positive_count, "a number above 0", None
        ),
        tool_budget=inner.take(
            "tool_budget", positive_count, "a number above 0", default.tool_budget
        ),
    )
    inner.report_unknown()
    return descriptor_options

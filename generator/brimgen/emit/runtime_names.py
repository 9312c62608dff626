"""The names of the runtime that generated modules import, and where each stands."""

from __future__ import annotations

RUNTIME = "brimgen_runtime"
"""The package of the runtime."""
SQL_RUNTIME = f"{RUNTIME}.sql"
"""The runtime of statements."""

_NAMES = {
    "schema.choices": "to_choice",
    "schema.decode": "to_decimal to_float to_plain to_whole",
    "schema.errors": "InputError Refused Violation",
    "schema.files": "EntitySchemas ToolSchemas",
    "schema.formats": "to_uuid",
    "schema.json_text": "parse_json",
    "schema.json_values": "is_list to_int",
    "schema.lenient": "OpenChoices",
    "schema.times": "to_date to_datetime",
    "schema.validator": "Validator",
    "records.bound_class": "check_bound",
    "records.encode": "digits listed mapped maybe record result_value to_json_value",
    "records.json_object": "JsonCall JsonEntity JsonObject JsonPlainCall json_default",
    "records.record": "Leaf",
    "records.spans": "to_bytes to_duration to_time",
    "grammar.hosts": "Host",
    "http._call": "HttpCall",
    "http._plan": "Plan Retry",
    "http._template": "Arg Basic Bearer FormBody Hmac JsonBody Key MultipartBody OAuth2 Secret"
    " Template TextBody",
    "calls.binding": "bind_call",
    "calls.bundles": "Bundle",
    "calls.call_context": "CallContext current_call",
    "calls.context": "ContextError",
    "calls.filters": "absolute as_float as_int as_json as_list capitalized count default distinct"
    " first indented is_defined is_divisible is_equal is_even is_false is_in is_mapping is_none"
    " is_numeric is_odd is_string is_true is_undefined join last lower ordered replaced reverse"
    " rounded text titled total trimmed truncated upper words",
    "calls.prompts": "Argument Prompt PromptError Prompts RenderedMessage",
    "calls.results": "NotFound ToolError",
    "calls.routes": "Match Query Resource Resources Variable",
    "calls.templates": "UNDEFINED called_items called_keys called_values item items_of joined"
    " looped pairs",
    "calls.tools": "Tool Tools attach",
}
_HOMES = {
    name: f"{RUNTIME}.{module}"
    for module, names in _NAMES.items()
    for name in names.split()
}


def home_of(name: str) -> str:
    """The module that a name of the runtime is imported from: ``brimgen_runtime.schema.errors``."""
    return _HOMES[name]

"""The models target: pydantic, msgspec and TypedDict classes, made by datamodel-code-generator.

One module per flavour, ``models/<flavour>_models.py``, so that a class stands for an entity
wherever it is used. The classes are a convenience: they check less than the dataclasses of the
Python target (``KNOWN_GAPS``), and only those decide. Off by default; ``models`` of the
configuration names the flavours, pydantic alone if it names none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from brimgen.diagnostics import Diagnostics
from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.code import Code, header
from brimgen.emit.models.lower import NAME, lower, wire_names
from brimgen.emit.names import attribute_name
from brimgen.model.catalog import Catalog
from brimgen.model.targets import target_named
from brimgen.quiet import quiet

if TYPE_CHECKING:
    from datamodel_code_generator._types import GenerateConfigDict

FLAVOURS = target_named(NAME).flavours

KNOWN_GAPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "pydantic": (
            "null is accepted for an optional argument, also where it is not nullable",
            "an integral float such as 3.0 is no integer",
            "a date or datetime may be a number; a datetime needs no offset",
            "a closed object without properties is read as one with any",
            "uniqueItems, multipleOf of floats and formats but dates are read differently",
        ),
        "msgspec": (
            "unknown properties are accepted",
            "formats are not checked",
            "uniqueItems is not checked",
        ),
        "typeddict": ("nothing is checked when the program runs",),
    }
)
"""Where the classes of a flavour judge otherwise than the schema that they are made from."""


def check(catalog: Catalog, diagnostics: Diagnostics) -> None:
    """Report nothing: every JSON Schema has a model, if only a loose one."""


def emit(catalog: Catalog) -> tuple[Artifact, ...]:
    """Write one module for each flavour that the project asks for."""
    flavours = catalog.project.models or FLAVOURS[:1]
    document = lower(catalog)
    return tuple(
        Artifact(f"{NAME}/{flavour}_models.py", models(document, flavour))
        for flavour in FLAVOURS
        if flavour in flavours
    )


def models(document: Mapping[str, Any], flavour: str) -> Code:
    """Return the module of one flavour for the definitions in ``document``."""
    if not document["$defs"]:
        return header()
    with quiet():
        from datamodel_code_generator import generate

    options = _options(flavour)
    options["aliases"] = {
        wire: str(attribute_name(wire))
        for wire in sorted(wire_names(document))
        if attribute_name(wire) != wire
    }
    with quiet():
        text = generate(json.dumps(document), **options)
    if not isinstance(text, str):
        raise TypeError(f"one module was expected, not {type(text).__name__}")
    return Code(_formatted(text))


def _formatted(text: str) -> str:
    """Format a module by black: the generator's own layout leaves wide types on one line."""
    import black
    from black.mode import TargetVersion

    mode = black.Mode(target_versions={TargetVersion.PY311})
    return black.format_str(text, mode=mode)


def _options(flavour: str) -> GenerateConfigDict:
    """Return the options of product.md 3, and those that make the classes strict and plain."""
    from datamodel_code_generator import InputFileType, LiteralType
    from datamodel_code_generator.enums import DataModelType, StrictTypes
    from datamodel_code_generator.format import Formatter, PythonVersion

    kinds = {
        "pydantic": DataModelType.PydanticV2BaseModel,
        "msgspec": DataModelType.MsgspecStruct,
        "typeddict": DataModelType.TypingTypedDict,
    }
    return {
        "input_filename": "catalog.json",
        "input_file_type": InputFileType.JsonSchema,
        "output_model_type": kinds[flavour],
        "target_python_version": PythonVersion.PY_311,
        "custom_file_header": header().rstrip("\n"),
        "disable_timestamp": True,
        "extra_fields": "forbid",
        "strict_nullable": True,
        "strict_refs": True,
        "strict_types": [
            StrictTypes.str,
            StrictTypes.int,
            StrictTypes.float,
            StrictTypes.bool,
        ],
        "enum_field_as_literal": LiteralType.All,
        "field_constraints": True,
        "use_annotated": True,
        "keep_model_order": True,
        "skip_root_model": True,
        "use_standard_collections": True,
        "use_union_operator": True,
        "use_double_quotes": True,
        "formatters": [Formatter.BUILTIN],
    }


EMITTER = Emitter(target_named(NAME), check, emit)

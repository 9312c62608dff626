"""The models target: pydantic, msgspec and TypedDict classes, made by datamodel-code-generator.

A module for each flavour, ``<package>/models/<flavour>.py``, has the entities, the inputs of tools
and what tools run with, under the names of the package's dataclasses. ``<package>/models`` converts
between the two. The classes check less than the dataclasses, which alone decide. Off by default;
``models`` of the configuration names the flavours, pydantic alone if it names none.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.code import Code, header
from brimgen.emit.models.lower import NAME, lower, wire_names
from brimgen.emit.names import attribute_name
from brimgen.emit.render import render
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog
from brimgen.model.targets import target_named
from brimgen.quiet import quiet

if TYPE_CHECKING:
    from datamodel_code_generator._types import GenerateConfigDict

_TITLES = {
    "pydantic": "The arguments of tools and the entities, as models of pydantic.",
    "msgspec": "The arguments of tools and the entities, as structs of msgspec.",
    "typed_dict": "The arguments of tools and the entities in JSON, as typed dicts.",
}
FLAVOURS = target_named(NAME).flavours


@dataclass(frozen=True, slots=True)
class ModelsView:
    """``models/__init__.py``."""

    header: Code
    flavours: tuple[str, ...]


def emit(catalog: Catalog) -> tuple[Artifact, ...]:
    """Write ``models/__init__.py``, and a module for each flavour that the project asks for."""
    flavours = catalog.project.models or FLAVOURS[:1]
    folder = f"python/{catalog.project.package}/{NAME}"
    front = render("models/package.py.j2", ModelsView(header(), flavours))
    return (
        Artifact(f"{folder}/__init__.py", front),
        *(
            Artifact(f"{folder}/{flavour}.py", models(lower(catalog, flavour), flavour))
            for flavour in FLAVOURS
            if flavour in flavours
        ),
    )


def models(document: Mapping[str, Any], flavour: str) -> Code:
    """Return the module of one flavour for the definitions in ``document``."""
    if not document["$defs"]:
        return Code(f'{header()}"""{_TITLES[flavour]}"""\n')
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
    return Code(text)


def _options(flavour: str) -> GenerateConfigDict:
    """Return the options that make the classes strict and plain."""
    from datamodel_code_generator import InputFileType, LiteralType
    from datamodel_code_generator.enums import DefaultValueType, StrictTypes
    from datamodel_code_generator.format import Formatter, PythonVersion

    return {
        **_options_of(flavour),
        "input_filename": "catalog.json",
        "input_file_type": InputFileType.JsonSchema,
        "target_python_version": PythonVersion.PY_311,
        "custom_file_header": f'{header()}"""{_TITLES[flavour]}"""',
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
        "deserialize_default_values": [DefaultValueType.Decimal, DefaultValueType.Enum],
        "set_default_enum_member": True,
        "use_specialized_enum": True,
        "field_constraints": True,
        "use_annotated": True,
        "keyword_only": True,
        "use_schema_description": True,
        "skip_root_model": True,
        "use_standard_collections": True,
        "use_union_operator": True,
        "use_double_quotes": True,
        "formatters": [Formatter.BUILTIN],
    }


def _options_of(flavour: str) -> GenerateConfigDict:
    """Return the options of one flavour."""
    from datamodel_code_generator.enums import DataModelType
    from datamodel_code_generator.format import DatetimeClassType

    match flavour:
        case "pydantic":
            return {
                "output_model_type": DataModelType.PydanticV2BaseModel,
                "output_datetime_class": DatetimeClassType.Awaredatetime,
            }
        case "msgspec":
            every: dict[str, Any] = {
                "base_class_kwargs": {"forbid_unknown_fields": True}
            }
            return {
                "output_model_type": DataModelType.MsgspecStruct,
                "extra_template_data": defaultdict(dict, {"#all#": every}),
            }
        case _:
            return {
                "output_model_type": DataModelType.TypingTypedDict,
                "use_closed_typed_dict": False,
            }


EMITTER = Emitter(target_named(NAME), emit)

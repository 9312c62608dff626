"""A row of comparison: models that datamodel-code-generator makes of the same schemas.

Its pydantic models are what people generate from a JSON Schema today. How often their verdict is
not the schema's stands in docs/python.md; that of ours is compared in test_agreement.py.
"""

from __future__ import annotations

import json
import sys
from types import ModuleType
from typing import Any

import jsonschema_rs
import pytest
from datamodel_code_generator import DataModelType, InputFileType, generate
from pydantic import BaseModel, ValidationError

from running.test_agreement import cases
from runtime.corpora import needs_corpora


def model_of(schema: Any, name: str) -> type[BaseModel]:
    """The model of a schema, in a module of its own."""
    code = generate(
        json.dumps(schema),
        input_file_type=InputFileType.JsonSchema,
        output_model_type=DataModelType.PydanticV2BaseModel,
        class_name="Root",
        formatters=[],
    )
    module = sys.modules[name] = ModuleType(name)
    exec(compile(str(code), name, "exec"), vars(module))
    root: type[BaseModel] = vars(module)["Root"]
    root.model_rebuild(_types_namespace=vars(module))
    return root


def accepts(model: type[BaseModel], value: object) -> bool:
    """The verdict of strict mode on JSON text: the mode that casts least."""
    try:
        model.model_validate_json(json.dumps(value), strict=True)
    except ValidationError:
        return False
    return True


@needs_corpora
@pytest.mark.fuzz
@pytest.mark.parametrize("corpus", ["bfcl", "mcp", "openapi"])
def test_pydantic_models_of_the_same_schemas_say_otherwise_now_and_then(
    corpus: str,
) -> None:
    verdicts = different = 0
    for number, case in enumerate(list(cases(corpus))[::20]):
        model = model_of(case.schema, f"peer_{corpus}_{number}")
        expected = jsonschema_rs.validator_for(case.schema, validate_formats=True)
        for each in case.instances:
            if isinstance(each, dict):
                verdicts += 1
                different += accepts(model, each) != expected.is_valid(each)
    share = different / verdicts
    print(f"{corpus}: {share:.1%} of {verdicts} verdicts differ")
    assert 0.005 < share < 0.2

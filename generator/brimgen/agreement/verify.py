"""Check all laws for all tools of a catalog, and report the results.

1. The schema, read by a foreign validator, and ``from_dict`` say yes to the same values.
2. What was decoded is encoded to a value that is decoded to an equal one.
   It has what was sent, and the default of what was left out.

`descriptor_laws` has those of descriptors, `binding_laws` those of SQL and HTTP.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from brimgen.agreement.binding_laws import BindingLaws
from brimgen.agreement.decoder import PYTHON, Decoder, ForeignCode
from brimgen.agreement.descriptor_laws import DescriptorLaws, arguments_schema
from brimgen.agreement.instances import Instances, NoValue, StuckPart, slow_patterns
from brimgen.agreement.reference_validator import Oracles, Unjudged
from brimgen.agreement.report import UNJUDGED, Excuse, Report, UntestedTool
from brimgen.agreement.round_trip import Meaning
from brimgen.emit.account import Descriptor, Loss
from brimgen.emit.projection.json_values import plain_json
from brimgen.emit.schema_files import file_stem, schemas_root
from brimgen.model.catalog import Catalog, Tool
from brimgen_runtime.schema.json_pointer import steps_of


def agreement(
    catalog: Catalog,
    files: Mapping[str, str],
    descriptors: Sequence[Descriptor],
    losses: Sequence[Loss],
    *,
    through: Callable[[Sequence[Tool]], Iterable[Tool]] = iter,
) -> Report:
    """Hold the artifacts of every tool against each other.

    ``through`` yields the tools that it is given; it may show the progress.
    ``files`` are the generated texts by path, those of the targets python and json_schema among
    them. What the generated code raises is a finding, never an error of this function.
    """
    report = Report()
    root = schemas_root(catalog.project)
    of_tools = defaultdict[str, list[Descriptor]](list)
    of_profiles = defaultdict[tuple[str, str], list[Loss]](list)
    for descriptor in descriptors:
        of_tools[descriptor.tool].append(descriptor)
    for loss in losses:
        of_profiles[loss.tool, loss.profile].append(loss)
    with imported(files.items(), catalog.project.package) as package:
        for tool in through(catalog.tools):
            has_file = f"{root}/{file_stem(tool)}.input.json" in files
            code = _generated_code(tool, package, report) if has_file else None
            if code is not None:
                _check(tool, code, report, of_tools[tool.name], of_profiles)
            elif not has_file and tool.enabled and tool.is_for("json_schema"):
                report.differ(tool, SCHEMA, "has no file of the arguments", None)
    return report


def _generated_code(
    tool: Tool, package: Callable[[], ModuleType], report: Report
) -> Any:
    """The `Tool` of the generated package; None where there is none, which is reported."""
    try:
        code = package().TOOLS.get(tool.name)
    except Exception as error:
        says = f"cannot be imported ({type(error).__name__}: {error})"
        report.differ(tool, PYTHON, says, None)
        return None
    if code is None and tool.enabled and tool.is_for("python"):
        report.differ(tool, PYTHON, "is not in TOOLS of the package", None)
    return code


def _check(
    tool: Tool,
    code: Any,
    report: Report,
    descriptors: Iterable[Descriptor],
    losses: Mapping[tuple[str, str], Iterable[Loss]],
) -> None:
    """Note in the report what is found about a tool, and how often each artifact was asked."""
    report.tools += 1
    # The package reads the file, so calls show whether that says what the tool does.
    decoder = Decoder(tool, code, plain_json(tool.input_schema), report)
    try:
        ToolLaws(decoder).check(descriptors, losses)
    except ForeignCode as problem:
        remedy = "let `verify` run where the modules of your leaves can be imported"
        report.unshown.append(UntestedTool(tool, str(problem), remedy))


@contextmanager
def imported(
    files: Iterable[tuple[str, str]], package: str
) -> Generator[Callable[[], ModuleType]]:
    """The package of the Python target, from the texts of ``files``, in a folder of its own.

    What is yielded imports it, or raises what that raises. It has a name of its own, since its
    modules know each other by their places only: it may be called like one that is in use here.
    What the package needs beside the standard library is imported with it, where a module asks.
    """
    writes, name = sys.dont_write_bytecode, f"verified_{package}"
    old, new = f"python/{package}/", f"python/{name}/"
    with tempfile.TemporaryDirectory(prefix="brimgen-verify-") as folder:
        for path, text in files:
            own = new + path.removeprefix(old) if path.startswith(old) else path
            file = Path(folder, own)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="")
        home = str(Path(folder, "python"))
        sys.path[:0] = home, os.getcwd()  # leaves may be read by modules of the project
        sys.dont_write_bytecode = True
        try:
            importlib.invalidate_caches()
            yield partial(importlib.import_module, name)
        finally:
            sys.dont_write_bytecode = writes
            del sys.path[:2]
            for module in [*sys.modules]:
                if f"{module}.".startswith(f"{name}."):
                    del sys.modules[module]


SCHEMA = "JSON Schema"
ROUND = "Python, to_json and back"
_EXAMPLES = "give it `examples`"
_FURTHER = "further edges of large schemas"
_LONG_TEXTS = "long texts for patterns that may take very long, or cannot be read"
_DEFAULT = Excuse(
    "writes what is refused when read", "default that its pattern refuses"
)


class ToolLaws:
    """Laws 1 and 2 for the tool of ``decoder``, and those of the other modules."""

    def __init__(self, decoder: Decoder) -> None:
        self._tool, self._report = decoder.tool, decoder.report
        self._decoder, self._schema = decoder, decoder.published
        self._oracles = Oracles()
        self._oracle = self._oracles.of(self._schema)
        self._instances = Instances(self._schema, self._oracle.accepts_part)
        self._meaning = Meaning(self._schema, self._oracle)

    def check(
        self,
        descriptors: Iterable[Descriptor],
        losses: Mapping[tuple[str, str], Iterable[Loss]],
    ) -> None:
        """Hold all artifacts of the tool against each other; ``losses`` are by tool and profile."""
        try:
            edges = self._instances.edges()
        except NoValue:
            self._report_unknown(self._instances.find_stuck_part(self._schema))
            return
        self._report.instances += len(edges)
        if self._instances.is_cut:
            self._report.leave_out(_FURTHER, self._tool.name)
        for pattern in slow_patterns(self._schema):
            where = f"{self._tool.name}: {pattern}"
            self._report.leave_out(_LONG_TEXTS, where)
        accepted = [edge for edge in edges if self._check_decoder(edge)]
        if not accepted:
            self._report_uncalled("from_dict accepts no call that is known", _EXAMPLES)
        for descriptor in descriptors:
            schema = arguments_schema(descriptor)
            if schema is not None:
                rows = losses.get((descriptor.tool, descriptor.profile), ())
                DescriptorLaws(
                    self._decoder,
                    descriptor,
                    schema,
                    rows,
                    self._oracles,
                    self._meaning,
                ).check(edges, accepted)
        BindingLaws(self._decoder).check(accepted)

    def _report_unknown(self, at: StuckPart) -> None:
        place = f"argument `{at.pointer[1:]}`" if at.pointer else "the arguments"
        why, remedy = f"{place}: no value is known that is right", _EXAMPLES
        if at.is_endless:
            why = f"{place}: each value needs another within it, without end"
            remedy = "let it be absent or null, or be a list that may be empty"
        elif "pattern" in at.part:
            why = f"{place}: no text is known for its pattern `{at.part['pattern']}`"
        elif self._instances.is_cut:
            why, remedy = f"{place}: every known value is too large", "split the tool"
        self._report_uncalled(why, remedy, self._instances.is_cut)

    def _report_uncalled(self, why: str, remedy: str, is_large: bool = False) -> None:
        """No valid call is known: a failure, unless it is too large or no validator can tell it."""
        is_unsure = is_large or self._oracle.is_unsure
        tools = self._report.unshown if is_unsure else self._report.uncalled
        tools.append(UntestedTool(self._tool, why, remedy))

    def _check_decoder(self, instance: Any) -> bool:
        """Laws 1 and 2. Whether schema and decoder accept the instance."""
        try:
            published = self._oracle.accepts(instance)
        except Unjudged as problem:
            excuse = Excuse(UNJUDGED, str(problem))
            self._report.excuse(SCHEMA, excuse, self._tool)
            return False
        self._report.of(SCHEMA).add(published)
        decoded, violations = self._decoder.read(instance, PYTHON, "from_dict")
        self._report.of(PYTHON).add(decoded is not None)
        if published and decoded is not None:
            self._check_round_trip(decoded, instance)
        elif published:
            self._explain_refusal(violations, instance)
        elif decoded is not None:
            complaints = {*self._oracle.complaints(instance)}
            rules = ", ".join(f"{rule} at {at!r}" for rule, at in sorted(complaints))
            says = f"accepts what the schema refuses ({rules})"
            self._decoder.differs(PYTHON, says, instance)
        return published and decoded is not None

    def _explain_refusal(self, violations: Sequence[Any], instance: Any) -> None:
        """The decoder refuses what the schema accepts: each reason must be known."""
        reasons = [(each.rule, each.pointer) for each in violations]
        excuses = {
            self._decoder.decoder_excuse(*reason): reason[1] for reason in reasons
        }
        if None in excuses:
            rules = ", ".join(f"{rule} at {pointer!r}" for rule, pointer in reasons)
            says = f"refuses what the schema accepts ({rules})"
            self._decoder.differs(PYTHON, says, instance)
            return
        for excuse, pointer in excuses.items():
            if excuse is not None:
                may = f"refuses what the schema accepts: {excuse.may}"
                self._report.excuse(
                    PYTHON, Excuse(may, excuse.what), self._tool, pointer
                )

    def _check_round_trip(self, decoded: Any, instance: Any) -> None:
        try:
            text = decoded.to_json()
        except Exception as error:
            self._decoder.raised(error, ROUND, instance)
            return
        again, violations = self._decoder.read(text, ROUND, "from_call")
        rules = ", ".join(violation.rule for violation in violations)
        self._report.of(ROUND).add(again is not None)
        if violations and not any(
            next(steps_of(each.pointer), None) in {None, *instance}
            for each in violations
        ):  # of what was not sent, but is a default
            self._report.excuse(ROUND, _DEFAULT, self._tool, violations[0].pointer)
        elif not self._decoder.are_equal(again, decoded, ROUND, instance):
            says = f"writes {text}, which is read as another value or refused ({rules})"
            self._decoder.differs(ROUND, says, instance)
        else:
            written = json.loads(text, parse_float=Decimal)
            unlike = [
                pointer
                for pointer in self._meaning.unlike(instance, written)
                if self._decoder.decoder_excuse("leaf", pointer) is None
            ]
            if unlike:
                says = f"writes another value than was sent, or the default ({', '.join(unlike)})"
                self._decoder.differs(ROUND, says, instance)

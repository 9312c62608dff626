"""Bound: what was decoded in, made into rows of SQL parameters and HTTP requests; faults out.

6. SQL bindings and HTTP requests are made of what was decoded, or refuse it with `ValueError`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from brimgen.agreement.calls import hidden_values, makers_of, reason_of
from brimgen.agreement.decoder import Decoder
from brimgen.agreement.report import Excuse, Unshown

CALLS = "Python, bound calls"
_UNFIT = "refuse values that the other side cannot hold"


class Binding:
    """What is made of the bound calls of the tool of ``decoder``."""

    def __init__(self, decoder: Decoder) -> None:
        self._decoder, self._report = decoder, decoder.report

    def hold(self, right: Iterable[Any]) -> None:
        """Make something of each call that is ``right``."""
        decoder = self._decoder
        try:
            makers = makers_of(decoder.input_type.__module__)
        except Exception as error:
            decoder.raised(error, CALLS, None)
            return
        if not makers:
            return
        hidden = hidden_values(decoder.tool)
        if isinstance(hidden, str):
            why = f"no value is known for the hidden argument `{hidden}`"
            part = " and ".join(dict.fromkeys(name for name, _ in makers))
            remedy = "give it `examples`"
            self._report.unshown.append(Unshown(decoder.tool, why, remedy, part))
            return
        context, host = hidden
        for instance in right:
            call = decoder.input_type.from_dict(instance)
            try:
                bound = decoder.code.bound_type.bind(call, context, **host)
            except Exception as error:
                decoder.raised(error, CALLS, instance)
                continue
            for artifact, make in makers:
                self._make(artifact, make, bound, instance)

    def _make(
        self, artifact: str, make: Callable[[Any], object], bound: Any, instance: Any
    ) -> None:
        try:
            make(bound)
        except ValueError as problem:
            self._report.of(artifact).add(False)
            parameter, why = reason_of(problem)
            excuse = Excuse(_UNFIT, why)
            self._report.excuse(artifact, excuse, self._decoder.tool, f"/{parameter}")
        except Exception as error:
            self._decoder.raised(error, artifact, instance)
        else:
            self._report.of(artifact).add(True)

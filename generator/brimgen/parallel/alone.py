"""Settings in; the build that one process makes, which tells where tools stand in lists, out."""

from __future__ import annotations

from collections.abc import Callable

from brimgen import pipeline
from brimgen.built import Lists, Prepared
from brimgen.increment.parts import LEDGER, Parts, may_list, parts_of
from brimgen.output.plan import Output
from brimgen.settings.load import Settings
from brimgen.stages import Stages


def alone(settings: Settings, stages: Stages) -> Prepared:
    """`pipeline.prepare`; when it hands on a list, it looks where each tool stands in it."""
    made, emit = pipeline.prepare(settings, stages)
    chosen = pipeline.choose_emitters(settings, stages.emitters)
    promises = {each.name: each.apart for each in chosen}

    def noting(sink: Callable[[Output], None]) -> Lists:
        lists: dict[str, Parts] = {}

        def take(output: Output) -> None:
            apart = promises.get(output.target, LEDGER)
            if apart and not output.sources and may_list(output.path, apart):
                parts = parts_of(output.path, output.data, apart)
                if parts is not None:
                    lists[output.path] = parts
            sink(output)

        emit(take)
        return lists

    return made, noting

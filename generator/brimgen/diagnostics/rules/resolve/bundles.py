"""R42x of ``resolve``: bundles, ids and times (S2.14-15, S2.25-28)."""

from __future__ import annotations

from brimgen.diagnostics.rule import Rule, error
from brimgen_runtime.grammar.rule_messages import MESSAGES

_BUNDLE = "type: bundle\nname: files\n---\n"
_TOOL = "type: python_function\nname: read_file\nreturns: string\n"

UNKNOWN_BUNDLE = error(
    "R421",
    "unknown-bundle",
    "there is no bundle `{name}`",
    "`bundle` is the name of a document of type `bundle`.",
    wrong=f"{_BUNDLE}{_TOOL}bundle: flies\n",
    right=f"{_BUNDLE}{_TOOL}bundle: files\n",
)
SLUG_TWICE = error(
    "R422",
    "slug-twice",
    "`{slug}` in version `{version}` stands twice in bundle `{bundle}`",
    "A slug and a version together are unique within a bundle. A slug is the name with "
    "`-` for `_` unless said otherwise, a version is `v1`. Give the other one a version of its "
    "own.",
    wrong=f"{_BUNDLE}{_TOOL}bundle: files\n---\ntype: python_function\nname: read_file_2\n"
    "returns: string\nbundle: files\nslug: read-file\n",
    right=f"{_BUNDLE}{_TOOL}bundle: files\n---\ntype: python_function\nname: read_file_2\n"
    "returns: string\nbundle: files\nslug: read-file\nversion: v2\n",
)
BAD_ID = error(
    "R423",
    "bad-id",
    MESSAGES["R423"],
    "Leave `id` out: brimgen creates one and keeps it in the lock file. An id in a spec "
    "must be a UUID of version 7 in lower case.",
    wrong="type: bundle\nname: files\nid: 3fa85f64-5717-4562-b3fc-2c963f66afa6\n",
    right="type: bundle\nname: files\nid: 019293c8-51f1-7524-b08b-10a817d3b516\n",
)
BAD_TIME = error(
    "R424",
    "bad-time",
    "`{text}` is not a time in UTC",
    "Leave it out: the lock file keeps it. A time in a spec looks like "
    "`2026-01-18T05:00:00Z`.",
    wrong="type: bundle\nname: files\ncreatedAt: 2026-01-18\n",
    right="type: bundle\nname: files\ncreatedAt: 2026-01-18T05:00:00Z\n",
)
ID_TWICE = error(
    "R425",
    "id-twice",
    "the id of {kind} `{name}` is taken by {other_kind} `{other}`",
    "Every bundle and every tool has an id of its own. Remove `id` from the copy: a new one is "
    "made for it.",
    wrong="type: bundle\nname: files\nid: 019293c8-51f1-7524-b08b-10a817d3b516\n---\n"
    "type: bundle\nname: mails\nid: 019293c8-51f1-7524-b08b-10a817d3b516\n",
    right="type: bundle\nname: files\nid: 019293c8-51f1-7524-b08b-10a817d3b516\n---\n"
    "type: bundle\nname: mails\n",
)

RULES: tuple[Rule, ...] = (
    UNKNOWN_BUNDLE,
    SLUG_TWICE,
    BAD_ID,
    BAD_TIME,
    ID_TWICE,
)

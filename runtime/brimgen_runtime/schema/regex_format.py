"""The format ``regex``: check that a text is an ECMA-262 pattern."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from .patterns import PatternError, Reference, Translator, check_compiles, is_category

LONGEST_PATTERN = 10_000
"""Longer texts are no patterns for the format ``regex``: callers choose them."""

_SCRIPT = re.compile(r"(?:Script|sc|Script_Extensions|scx)=[A-Z][A-Za-z_]*")
_BINARY = r"""
ASCII ASCII_Hex_Digit AHex Alphabetic Alpha Any Assigned Bidi_Control Bidi_C Bidi_Mirrored
Bidi_M Case_Ignorable CI Cased Changes_When_Casefolded CWCF Changes_When_Casemapped CWCM
Changes_When_Lowercased CWL Changes_When_NFKC_Casefolded CWKCF Changes_When_Titlecased CWT
Changes_When_Uppercased CWU Dash Default_Ignorable_Code_Point DI Deprecated Dep Diacritic Dia
Emoji Emoji_Component EComp Emoji_Modifier EMod Emoji_Modifier_Base EBase Emoji_Presentation
EPres Extended_Pictographic ExtPict Extender Ext Grapheme_Base Gr_Base Grapheme_Extend Gr_Ext
Hex_Digit Hex IDS_Binary_Operator IDSB IDS_Trinary_Operator IDST ID_Continue IDC ID_Start IDS
Ideographic Ideo Join_Control Join_C Logical_Order_Exception LOE Lowercase Lower Math
Noncharacter_Code_Point NChar Pattern_Syntax Pat_Syn Pattern_White_Space Pat_WS Quotation_Mark
QMark Radical Regional_Indicator RI Sentence_Terminal STerm Soft_Dotted SD Terminal_Punctuation
Term Unified_Ideograph UIdeo Uppercase Upper Variation_Selector VS White_Space space
XID_Continue XIDC XID_Start XIDS
"""
"""The binary properties of ECMA-262, table 69, and their aliases."""


def is_pattern(text: str) -> bool:
    """Return whether a text is an ECMA-262 pattern (the format ``regex``).

    Nothing is kept of it, and its sets, which are costly to compile, are only read.
    """
    if len(text) > LONGEST_PATTERN:
        return False
    try:
        check_compiles(text, _Outline(text).text())
    except PatternError:
        return False
    return True


class _Outline(Translator):
    """Translates what only has to be well formed: what Python cannot run has a stand-in.

    One character stands for each set, nothing for a reference back, look-ahead for look-behind, and
    a plain group for one with modifiers.
    """

    def _set(self) -> str:
        super()._set()
        return "a"

    def _members(self, name: str) -> str | None:
        is_known = (
            is_category(name) or name in _BINARY.split() or _SCRIPT.fullmatch(name)
        )
        return "a" if is_known else None

    def _opening(self, kind: str) -> str:
        return {"m": "(?:", "<=": "(?=", "<!": "(?!"}.get(kind) or super()._opening(
            kind
        )

    def _referenced(self, reference: Reference) -> str:
        self._number(reference)
        return "(?:)"


TESTS: Final[Mapping[str, Callable[[str], bool]]] = {"regex": is_pattern}
"""The format that this module tests."""

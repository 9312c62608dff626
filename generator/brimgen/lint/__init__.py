"""Lint: report what models will have trouble with in a catalog.

Checks yield findings (`descriptions`, `side_effects`, `names`, `sizes`); `run_checks` drops those
whose rules do not apply and those that a spec waives with a reason (``x-lint-ignore``). Nothing
here decides whether a spec is valid.
"""

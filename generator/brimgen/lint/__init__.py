"""Lint: a Catalog in, diagnostics about what models will have trouble with out.

Checks yield findings (`texts`, `effects`, `names`, `sizes`); `tell` drops those whose rules do not
apply and those that a spec waives with a reason (``x-lint-ignore``). Nothing here decides whether
a spec is sound.
"""

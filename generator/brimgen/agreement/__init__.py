"""Agreement: what a project's own artifacts say of the same values, shown and not claimed.

The specs of a project in, edge instances of every schema made of them, the verdict of each artifact
on each instance (JSON Schema by a foreign validator, decoder, SQL binding, descriptors), and where
two of them differ without the ledger of losses saying so, out. Nothing here runs in a build; it is
`brimgen verify` (product.md 1.1).
"""

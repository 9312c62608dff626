"""Test that the artifacts of a project agree with each other; this is `brimgen verify`.

Edge instances of every schema are given to each artifact (JSON Schema by an independent validator,
decoder, SQL binding, descriptors). Where two verdicts differ and the ledger of losses does not say
so, the difference is reported. Nothing here runs in a build.
"""

"""The JSON Schema of spec files, built from the keys that `syntax` knows.

Editors complete, explain and check specs by it while they are written. It is built from the tables
that specs are read by, so that both know the same keys; a new kind of document is a row of
`document_kinds`, a new key a text of `key_descriptions`.
"""

"""The JSON Schema of spec files, by which editors complete, explain and check specs.

It is built from the tables of keys that `syntax` reads specs by, so that both accept the same keys;
a new kind of document is a row of `document`, a new key a row of `syntax.keys`.
"""

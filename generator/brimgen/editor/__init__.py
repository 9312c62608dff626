"""Editor: the keys that `syntax` knows in, a JSON Schema of spec files out.

Editors complete, explain and check specs by it while they are written. It is built of the very
tables by which specs are read, so that it cannot know other keys than they do; a new kind of
document is a row of `kinds`, a new key a text of `texts`.
"""

"""One changed tool: what an earlier build left and what changed in, the new files out, or nothing.

A *baseline* is what a whole build leaves for the next one, beside its stamp. Where the stamp shows
that nothing differs but some spec files, and these declare nothing but tools, only they are built:
together with every file that declares anything else, so that all names mean what they mean in the
whole. What the targets promise (`Emitter.apart`) says what that leaves as it was. Whatever is in
doubt is left to a whole build; so a baseline can save time and cannot change an outcome.
"""

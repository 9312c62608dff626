"""What changed: what an earlier build left and what changed in, the new files out, or nothing.

A *baseline* is what a whole build leaves for the next one, beside its stamp. Where the stamp shows
that nothing differs but some spec files, there are two ways to build less than everything. If they
declare nothing but tools, and others see no difference, these tools are built alone (`alone`).
Else everything is built that rests on a changed file, and what all tools make together, with the
other tools as they were told of (`among`). What the targets promise (`Emitter.apart`) says what
that leaves as it was. Whatever is in doubt is left to a whole build; so a baseline can save time
and cannot change an outcome.
"""


class Doubt(Exception):
    """What changed may reach further than what would be built."""

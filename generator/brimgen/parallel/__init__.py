"""One build in several processes: the spec files of many tools in, the very build of one out.

The files that declare tools and nothing else are divided; every process reads its own ones and all
others, runs the stages of `brimgen.pipeline` over them, and is told of each tool of another process
what counts where something is said or made of all tools at once (`Catalog.beside`). What they make
is joined. Whatever is in doubt, an error in a spec above all, is left to one process, which begins
anew: so more processes can save time and cannot change an outcome.
"""


class Doubt(Exception):
    """Something that is not known to be the same in a build by one process."""

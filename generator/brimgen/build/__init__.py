"""Make builds faster: answer "nothing changed" without a build.

`stamp` holds digests of everything that a run read and wrote, and repeats its messages while
nothing changes. `cache` is the private folder that holds the stamps.
"""

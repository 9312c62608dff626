"""Make builds faster: answer "nothing changed" without a build.

`fingerprint` records the state of everything that a run read and wrote, and repeats what that run
said while all of it stays the same. `cache` is the private folder in which that is kept.
"""

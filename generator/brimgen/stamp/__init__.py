"""Stamps: what a finished run looked at, so that the next one can tell that nothing changed.

A stamp lies in the user's cache folder, never in the project. It holds the state (identity,
size, times) of everything that a run rested on and of everything that it made, and what the
commands say when nothing is to be done. Where all of it is as it was, the answer is known
without reading one spec; where anything differs, or the stamp is gone or damaged, the command
does its whole work. So a stamp can save time and cannot change an outcome.
"""

"""Passes over a schema that write it with fewer keywords: each takes a schema and returns one."""

"""Lay out spec files in one style: `brimgen fmt`. What a spec means, and its comments, stay."""

"""Standard mode: an author's JSON Schema, checked and kept verbatim, with the types it admits."""

"""JSON Schema: walking, changing and comparing schemas."""

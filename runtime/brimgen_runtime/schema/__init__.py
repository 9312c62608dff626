"""JSON Schema, compiled to functions that judge, explain and decode values."""

"""Fields: from the declaration of an argument to a typed field with its JSON Schema."""

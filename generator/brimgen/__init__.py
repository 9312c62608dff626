"""brimgen: from reviewed tool specs to typed Python, JSON Schema, SQL bindings and descriptors."""

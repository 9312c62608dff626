"""Import JSON Schemas of documents: named ones as entities, and references to them."""

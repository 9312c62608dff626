"""Import OpenAPI documents: schemas as entities, operations as HTTP tools."""

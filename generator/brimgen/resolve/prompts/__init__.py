"""Prompt templates: Jinja trees, their names, and the errors in them."""

"""Bundles: which tools they hold, their slugs and versions."""

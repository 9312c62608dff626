"""Strict profiles: schemas of few plain shapes, within the limits of a provider."""

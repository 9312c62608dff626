"""R3xx and R4xx: mistakes that are seen when names are looked up."""

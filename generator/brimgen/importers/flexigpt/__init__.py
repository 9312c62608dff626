"""Import the tools and bundles of a FlexiGPT store."""

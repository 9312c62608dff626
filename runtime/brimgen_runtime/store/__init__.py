"""The tool store: tools and bundles that users add to those of a package."""

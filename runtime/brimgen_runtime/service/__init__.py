"""The runtime of services: it calls the tools of a package."""

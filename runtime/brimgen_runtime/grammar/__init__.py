"""The rules that specs and stored tools keep: URLs, hosts, headers, slugs, variables, schemas."""

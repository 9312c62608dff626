"""S0xx and S1xx: mistakes of files and of YAML."""

"""Flags and a configuration file in; one sound `Settings` out, or what is wrong with them."""

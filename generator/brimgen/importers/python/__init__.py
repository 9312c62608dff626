"""Read Python modules, without running them, as entities, enums and tools."""

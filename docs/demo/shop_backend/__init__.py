"""The host program of the demo: the functions that some tools of the shop name as handlers."""

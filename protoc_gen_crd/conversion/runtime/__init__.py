"""The runtime of generated conversion modules, copied into their packages unchanged."""

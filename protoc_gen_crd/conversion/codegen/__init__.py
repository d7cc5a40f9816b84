"""Generate Python modules from plans, and load them."""

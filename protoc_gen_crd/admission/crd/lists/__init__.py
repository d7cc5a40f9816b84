"""Validation of list and map types."""

"""Validation of the names, group, scope and status of a CRD."""

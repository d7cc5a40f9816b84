"""Validation and cost of the CEL rules of a CRD."""

"""Validation of spec.versions and spec.conversion, and the internal version of a CRD."""

"""Composition of conversions between versions that are not declared directly."""

"""Comparison of two versions of an API."""

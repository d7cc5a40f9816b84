"""Admission of objects, with one module for each step of an API server."""

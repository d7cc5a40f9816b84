"""Benchmarks: whole processes, in turn with a stub, medians. Never part of the tests."""

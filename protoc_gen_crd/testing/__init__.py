"""Validation of test documents in files for a range of Kubernetes versions, and comparison with their expectations.

This package reads files, reports findings, and uses the public functions of `admission`. It prints nothing.
"""

"""Conversion between the versions of a kind: plans, checks, generated Python, and proofs.

This package depends on CRDs and schemas, not on protos or files.
"""

"""Conversion between the versions of a kind: a plan, its check, the Python that runs it, and its proof.

Knows Crds and schemas, no protos and no files.
"""

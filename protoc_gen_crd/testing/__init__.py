"""Test documents: found in files, put to the servers of a range of versions, and held to what they say of themselves.

Knows files, findings and the doors of `admission`; prints nothing.
"""

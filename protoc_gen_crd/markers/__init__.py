"""Markers: proto options and comment lines to values, and values to schema keywords and resource members.

Only this package and hints for errors of protoc use `options_pb2`, which declares every marker.
"""

"""Markers: proto options and comment lines to values, and values to schema keywords and resource members.

The only room that knows `options_pb2`, in which every marker is declared.
"""

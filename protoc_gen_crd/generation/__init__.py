"""Protos and markers to Crds. The last room that knows protobuf."""

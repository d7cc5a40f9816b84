"""Conversions proven on objects."""

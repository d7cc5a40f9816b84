"""Checks of conversion plans against the schemas of their versions."""

"""Renderers of reports for terminals and programs."""

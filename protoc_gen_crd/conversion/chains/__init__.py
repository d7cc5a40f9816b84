"""Versions that name their neighbours alone, or versions beside the hub."""

"""The error for wrong usage and an unusable environment."""

from __future__ import annotations


class UsageError(Exception):
    """Wrong usage or environment; the message is for the user. Exit status 2."""

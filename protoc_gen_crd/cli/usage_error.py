"""Errors that end a command: wrong usage, an unusable environment, and errors in the settings."""

from __future__ import annotations


class UsageError(Exception):
    """Wrong usage or environment; the message is for the user. Exit status 2."""


class SettingsError(Exception):
    """Errors in the settings, which were reported. Exit status 1."""

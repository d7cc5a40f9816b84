"""What stops a command before it can find anything: wrong usage, and an environment that does not let it work."""

from __future__ import annotations


class UsageError(Exception):
    """Wrong usage or environment; the text is for the user. Ends the command with exit status 2."""

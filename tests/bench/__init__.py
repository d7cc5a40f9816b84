"""How long a plugin run takes."""

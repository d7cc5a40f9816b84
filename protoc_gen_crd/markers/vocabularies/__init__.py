"""Options of other annotation vocabularies, read as markers."""

"""Conversion of options of other annotation vocabularies to markers."""

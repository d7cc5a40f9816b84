"""Seeded fuzzers of every surface that reads foreign input; see `harness` for the properties that they check."""

"""Seeded fuzzers of every surface that reads what others write; see `harness` for the properties that they check."""

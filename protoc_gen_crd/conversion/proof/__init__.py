"""Round-trip tests of conversions on sample and random objects."""

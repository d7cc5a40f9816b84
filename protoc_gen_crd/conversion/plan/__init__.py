"""What a conversion is: paths, steps and the plan of a kind, as data."""

"""Conversion plans as data: paths, steps and the plan of a kind."""

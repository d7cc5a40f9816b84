"""Behavior of Go's standard library that output depends on."""

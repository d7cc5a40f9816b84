"""What generated conversion modules need beside them, written there as it stands."""

"""What a release channel keeps out of an API, and the admission policies that refuse it."""

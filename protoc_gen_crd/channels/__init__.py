"""Release channels: the guarded parts of an API, and the admission policies that reject them."""

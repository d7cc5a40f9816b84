"""Random work for the code that has shortcuts: seeds to outcomes, with state that is shared from seed to seed."""

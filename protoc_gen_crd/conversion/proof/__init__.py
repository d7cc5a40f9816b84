"""Round-trip tests of conversions on sample and random objects.

| module | contents |
|---|---|
| `data_comparison` | compare and edit plain data by paths |
| `proof_cases` | facts about a direction that round-trip laws need |
| `prover` | test conversions on sample and random objects |
| `random_objects` | random labels, annotations and lists of several items |
| `round_trip_laws` | laws of round trips, and of updates by clients of the other version |
| `spoke_comparison` | comparison of spoke-to-spoke conversions with those through the hub |
"""

"""Validation of test documents in files for a range of Kubernetes versions, and comparison with their expectations.

| module | contents |
|---|---|
| `case_runner` | validation of test documents |
| `coverage` | coverage of the constraints and CEL rules of CRDs by documents that satisfy or violate them |
| `document_errors_and_expectations` | the errors of a document, and its expectations that verdicts do not meet |
| `fuzz/` | comparison of our verdicts with those of an external validator, for generated documents |
| `handwritten_samples` | reader of handwritten samples |
| `key_checks` | checks of the keys of test documents: versions and unknown fields |
| `kind_samples` | the samples of the kinds of a run |
| `missing_error_insertion` | insertion of missing `_err` strings into documents |
| `process_pool` | validation of files in one process or in several |
| `pytest_plugin` | the pytest plugin |
| `run_summary` | results of files, and the summary of a run |
| `seed_corpus` | writer of test documents as a seed corpus of fuzzers |
| `unknown_kind_notes` | notes on kinds without a CRD |
| `validation_run` | a validation run: the CRDs in the paths are loaded first, then documents are validated |

This package reads files, reports findings, and uses the public functions of `admission`. It prints nothing.
"""

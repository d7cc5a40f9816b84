"""A snapshot of all findings, exit codes and generated files of testdata, without the wording of messages."""

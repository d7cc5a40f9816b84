"""Groups of options in the help of a command. An option without a row belongs to its command."""

from __future__ import annotations

COMMAND = "options"
PROTO_INPUT = "options for .proto input"  # printed by --help-all

_ROWS = {
    "output": (
        "out", "check", "prune", "format", "bundle", "header", "include_description", "max_description_length",
        "report", "dump_request",
    ),
    "release channel": ("channel", "channel_fields", "policy_existing", "policy_failure", "policy_switch"),
    "conversion": ("converters", "imported_converters", "kcp", "kcp_prefix"),
    "findings": ("settings", "fail_on", "format_findings", "color", "quiet", "verbose"),
    PROTO_INPUT: (
        "compat", "enum_as_int_or_string", "int64_as", "oneof", "resource_shape", "release", "webhook_service",
        "webhook_url", "webhook_ca", "node_limit", "byte_limit", "import_paths", "targets",
    ),
}  # fmt: skip
GROUPS = {name: title for title, names in _ROWS.items() for name in names}
ORDER = (COMMAND, *_ROWS)

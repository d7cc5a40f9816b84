"""Groups of options in the help of a command. An option without a row belongs to its command."""

from __future__ import annotations

COMMAND = "options"
PROTO_INPUT = "options for .proto input"  # printed by --help-all

_ROWS = {
    "output": (
        "out", "check", "prune", "format", "bundle", "header", "include_description", "max_description_length",
        "dump_request",
    ),
    "release channel": ("channel", "channel_fields", "policy_existing", "policy_failure", "policy_switch"),
    "conversion": (
        "converters", "converter_packages", "webhook_service", "webhook_url", "webhook_ca", "kcp", "kcp_prefix",
    ),
    "findings": ("settings", "fail_on", "format_findings", "color", "quiet", "verbose"),
    PROTO_INPUT: (
        "compat", "report", "enum_as_int_or_string", "int64_as", "embedded_object_meta", "oneof", "ignored_options",
        "resource_shape", "release", "node_limit", "byte_limit", "import_paths", "targets",
    ),
}  # fmt: skip
GROUPS = {name: title for title, names in _ROWS.items() for name in names}
ORDER = (COMMAND, *_ROWS)
_WRITES_WEBHOOK = ("generate", "manifests", "patch")  # for other commands, webhooks are details of the input


def get_group(option: str, command: str) -> str:
    """Return the title of the group that an option of a command belongs to."""
    if option.startswith("webhook_") and command not in _WRITES_WEBHOOK:
        return PROTO_INPUT
    return GROUPS.get(option, COMMAND)

"""Choice of the external validator for a command line or an address."""

from __future__ import annotations

from protoc_gen_crd.testing.fuzz.external_validator import ExternalValidator, ValidatorOptions


def make_validator(against: str, options: ValidatorOptions) -> ExternalValidator:
    """Make the validator for a command line or an http or https address. Raises ValueError if it is invalid."""
    if against.startswith(("http://", "https://")):
        from protoc_gen_crd.testing.fuzz.webhook_validator import WebhookValidator  # noqa: PLC0415 - only one of the two is used

        return WebhookValidator(against, options)
    from protoc_gen_crd.testing.fuzz.command_validator import CommandValidator  # noqa: PLC0415

    return CommandValidator(against, options)

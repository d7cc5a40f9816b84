"""Verdicts on rules that other errors of a CRD mask, so that all errors are reported in the same run.

API servers validate defaults and compile rules only if the rest of the schema is valid, and compile the message
expression of a rule only if the rule compiles. So the invalid parts are removed, and the CRD is validated again.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from protoc_gen_crd.admission.field_errors import Cause
from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.admission.typed_values import GoTypedValue
from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.schema.schema import VALIDATIONS, Schema, ValidationRule

# Paths of errors that mask rules: in a schema, except errors of rules and of the total cost.
_MASKING_PATH = rf"openAPIV3Schema\.(?!.*\.?{VALIDATIONS}\[\d+\]\.(rule|messageExpression)$)"


def iterate_verdicts(crd: Crd, server: AdmissionServer) -> Iterator[Sequence[Verdict]]:
    """Yield the verdicts on a CRD, and then verdicts with only the errors that the previous errors mask.

    Shortcut unmasked-rules: if only rules are rejected, the API server has already compiled all rules.
    """
    verdicts: Sequence[Verdict] = server.admit(crd)
    reported: set[str] = set()
    invalid: set[int] = set()
    unmasking_server: AdmissionServer | None = None
    while verdicts:
        yield verdicts
        errors = [error for verdict in verdicts for error in verdict.causes]
        masking = {id(rule) for error in errors if (rule := _find_hiding_rule(error)) is not None} - invalid
        has_other_errors = not reported and any(re.search(_MASKING_PATH, error.path) for error in errors)
        reported |= {error.path for error in errors}
        invalid |= masking
        unmasking_server = unmasking_server or (server.get_unmasking_server() if masking or has_other_errors else None)
        verdicts = (
            _admit_bare(crd, unmasking_server, invalid, reported)
            if unmasking_server and (masking or has_other_errors)
            else ()
        )


def _admit_bare(
    crd: Crd, server: AdmissionServer, invalid: Collection[int], reported: Collection[str]
) -> tuple[Verdict, ...]:
    """Return the verdicts with new errors on a CRD that is reduced to its rules."""
    bare = _BareSchemas(invalid)
    versions = [version.replace(schema=version.schema and bare.get_schema(version.schema)) for version in crd.versions]
    verdicts = server.admit(crd.replace(versions=tuple(versions)))
    return tuple(
        [
            verdict.replace(causes=bare.filter_errors(verdict.causes, reported), warnings=(), unknown_fields=())
            for verdict in verdicts
        ]
    )


def _find_hiding_rule(error: Cause) -> ValidationRule | None:
    """Return the rule that does not compile and masks its messageExpression; None for other errors."""
    rule = error.value.value if isinstance(error.value, GoTypedValue) and error.path.endswith("].rule") else None
    return rule if isinstance(rule, ValidationRule) and rule.message_expression else None


class _BareSchemas:
    """Schemas whose rules have only the parts that API servers compile. A shared schema stays shared.

    Shortcut bare-schemas: a bare schema is a function of the schema, which is kept alive, and of the invalid rules,
    which do not change.
    """

    def __init__(self, invalid: Collection[int]) -> None:
        self._invalid = invalid
        self._schemas: dict[int, tuple[Schema, Schema]] = {}
        self._written: dict[int, tuple[ValidationRule, ValidationRule]] = {}

    def get_schema(self, node: Schema) -> Schema:
        """Return a schema with bare rules; the same object if it has no rules."""
        entry = self._schemas.get(id(node))
        if entry is None:
            entry = self._schemas[id(node)] = node, self._make_schema(node)
        return entry[1]

    def _make_schema(self, node: Schema) -> Schema:
        changes: dict[str, object] = {}
        for keyword, value in node.keywords.items():
            if isinstance(value, Schema):
                changes[keyword] = self.get_schema(value)
            elif keyword == "properties":
                changes[keyword] = {name: self.get_schema(child) for name, child in value.items()}
            elif keyword == VALIDATIONS:
                changes[keyword] = tuple(map(self._make_rule, value))
        same = all(node.get(keyword) == value for keyword, value in changes.items())
        return node if same else node.with_keywords(changes)

    def _make_rule(self, rule: ValidationRule) -> ValidationRule:
        expression, optional = ("true", None) if id(rule) in self._invalid else (rule.rule, rule.optional_old_self)
        bare = ValidationRule(expression, "-", rule.message_expression.strip(), None, "", optional, rule.origin)
        self._written[id(bare)] = bare, rule
        return bare

    def filter_errors(self, errors: Sequence[Cause], reported: Collection[str]) -> tuple[Cause, ...]:
        """Return the new errors, with the original rules."""
        return tuple([self._as_written(error) for error in errors if error.path not in reported])

    def _as_written(self, error: Cause) -> Cause:
        value = error.value
        if not isinstance(value, GoTypedValue) or id(value.value) not in self._written:
            return error
        return error.replace(value=value.replace(value=self._written[id(value.value)][1]))

"""What servers say of rules once what is wrong beside their CEL is mended: told in the same run.

A server looks at no default and compiles no rule of a schema of which it refuses anything else, and no message of a
rule that does not compile. So such parts are taken away or let pass, and it is asked again.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from protoc_gen_crd.admission.field_errors import FieldError
from protoc_gen_crd.admission.server import AdmissionServer, CrdVerdict
from protoc_gen_crd.admission.typed_values import GoTypedValue
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.schema.schema import VALIDATIONS, Schema, ValidationRule

# Paths of what hides rules: anything of a schema but what is said of rules themselves, and of all together.
_MASKING_PATH = rf"openAPIV3Schema\.(?!.*\.?{VALIDATIONS}\[\d+\]\.(rule|messageExpression)$)"


def iterate_verdicts(crd: Crd, server: AdmissionServer) -> Iterator[Sequence[CrdVerdict]]:
    """The verdicts on a CRD, then those with the errors alone that come to light once others are mended.

    Shortcut unmasked-rules: where nothing but rules themselves is rejected, a server has compiled all rules already.
    """
    found: Sequence[CrdVerdict] = server.admit(crd)
    known: set[str] = set()
    wrong: set[int] = set()
    behind: AdmissionServer | None = None
    while found:
        yield found
        errors = [error for verdict in found for error in verdict.errors]
        hiding = {id(rule) for error in errors if (rule := _find_hiding_rule(error)) is not None} - wrong
        beside = not known and any(re.search(_MASKING_PATH, error.path) for error in errors)
        known |= {error.path for error in errors}
        wrong |= hiding
        behind = behind or (server.get_unmasking_server() if hiding or beside else None)
        found = _admit_bare(crd, behind, wrong, known) if behind and (hiding or beside) else ()


def _admit_bare(
    crd: Crd, server: AdmissionServer, wrong: Collection[int], known: Collection[str]
) -> tuple[CrdVerdict, ...]:
    """Return the new verdicts on a CRD that is reduced to its rules."""
    bare = _BareSchemas(wrong)
    versions = [version.replace(schema=version.schema and bare.get_schema(version.schema)) for version in crd.versions]
    found = server.admit(crd.replace(versions=tuple(versions)))
    return tuple(
        [
            verdict.replace(errors=bare.filter_errors(verdict.errors, known), warnings=(), strict_errors=())
            for verdict in found
        ]
    )


def _find_hiding_rule(error: FieldError) -> ValidationRule | None:
    """A rule that does not compile and so hides its messageExpression."""
    rule = error.value.value if isinstance(error.value, GoTypedValue) and error.path.endswith("].rule") else None
    return rule if isinstance(rule, ValidationRule) and rule.message_expression else None


class _BareSchemas:
    """Schemas whose rules have only what servers compile; each schema is made once, so that equal ones stay so.

    Shortcut bare-schemas: a bare schema is a function of the schema, which is kept alive, and of the rules that are
    wrong, which do not change.
    """

    def __init__(self, wrong: Collection[int]) -> None:
        self._wrong = wrong
        self._schemas: dict[int, tuple[Schema, Schema]] = {}
        self._written: dict[int, tuple[ValidationRule, ValidationRule]] = {}

    def get_schema(self, node: Schema) -> Schema:
        """A schema with bare rules, the same where there are none."""
        known = self._schemas.get(id(node))
        if known is None:
            known = self._schemas[id(node)] = node, self._make_schema(node)
        return known[1]

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
        text, optional = ("true", None) if id(rule) in self._wrong else (rule.rule, rule.optional_old_self)
        made = ValidationRule(text, "-", rule.message_expression.strip(), None, "", optional, rule.origin)
        self._written[id(made)] = made, rule
        return made

    def filter_errors(self, errors: Sequence[FieldError], known: Collection[str]) -> tuple[FieldError, ...]:
        """The errors that are new, about rules as they are written."""
        return tuple([self._as_written(error) for error in errors if error.path not in known])

    def _as_written(self, error: FieldError) -> FieldError:
        value = error.value
        if not isinstance(value, GoTypedValue) or id(value.value) not in self._written:
            return error
        return error.replace(value=value.replace(value=self._written[id(value.value)][1]))

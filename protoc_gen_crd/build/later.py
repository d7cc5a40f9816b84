"""What servers say of rules once what is wrong beside their CEL is mended: told in the same run.

A server looks at no default and compiles no rule of a schema of which it refuses anything else, and no message of a
rule that does not compile. So such parts are taken away or let pass, and it is asked again.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from protoc_gen_crd.admission.errors import FieldError, Typed
from protoc_gen_crd.admission.server import Server, Verdict
from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.schema.types import VALIDATIONS, Rule, Schema

# Paths of what hides rules: anything of a schema but what is said of rules themselves, and of all together.
_BESIDE = rf"openAPIV3Schema\.(?!.*\.?{VALIDATIONS}\[\d+\]\.(rule|messageExpression)$)"


def stages(crd: Crd, server: Server) -> Iterator[Sequence[Verdict]]:
    """The verdicts on a CRD, then those with the errors alone that come to light once others are mended."""
    found: Sequence[Verdict] = server.admit(crd)
    known: set[str] = set()
    wrong: set[int] = set()
    behind: Server | None = None
    while found:
        yield found
        errors = [error for verdict in found for error in verdict.errors]
        hiding = {id(rule) for error in errors if (rule := _hiding(error)) is not None} - wrong
        beside = not known and any(re.search(_BESIDE, error.path) for error in errors)
        known |= {error.path for error in errors}
        wrong |= hiding
        behind = behind or (server.behind() if hiding or beside else None)
        found = _behind(crd, behind, wrong, known) if behind and (hiding or beside) else ()


def _behind(crd: Crd, server: Server, wrong: Collection[int], known: Collection[str]) -> tuple[Verdict, ...]:
    """What servers say of a CRD whose rules are bare, less what is known."""
    bare = _Bare(wrong)
    versions = [version.replace(schema=version.schema and bare.schema(version.schema)) for version in crd.versions]
    found = server.admit(crd.replace(versions=tuple(versions)))
    return tuple(
        [verdict.replace(errors=bare.errors(verdict.errors, known), warnings=(), strict=()) for verdict in found]
    )


def _hiding(error: FieldError) -> Rule | None:
    """A rule that does not compile and so hides its messageExpression."""
    rule = error.value.value if isinstance(error.value, Typed) and error.path.endswith("].rule") else None
    return rule if isinstance(rule, Rule) and rule.message_expression else None


class _Bare:
    """Schemas whose rules have only what servers compile; each schema is made once, so that equal ones stay so."""

    def __init__(self, wrong: Collection[int]) -> None:
        self._wrong = wrong
        self._schemas: dict[int, tuple[Schema, Schema]] = {}
        self._written: dict[int, tuple[Rule, Rule]] = {}

    def schema(self, node: Schema) -> Schema:
        """A schema with bare rules, the same where there are none."""
        known = self._schemas.get(id(node))
        if known is None:
            known = self._schemas[id(node)] = node, self._made(node)
        return known[1]

    def _made(self, node: Schema) -> Schema:
        changes: dict[str, object] = {}
        for keyword, value in node.keywords.items():
            if isinstance(value, Schema):
                changes[keyword] = self.schema(value)
            elif keyword == "properties":
                changes[keyword] = {name: self.schema(child) for name, child in value.items()}
            elif keyword == VALIDATIONS:
                changes[keyword] = tuple(map(self._rule, value))
        same = all(node.get(keyword) == value for keyword, value in changes.items())
        return node if same else node.having(changes)

    def _rule(self, rule: Rule) -> Rule:
        text, optional = ("true", None) if id(rule) in self._wrong else (rule.rule, rule.optional_old_self)
        made = Rule(text, "-", rule.message_expression.strip(), None, "", optional, rule.origin)
        self._written[id(made)] = made, rule
        return made

    def errors(self, errors: Sequence[FieldError], known: Collection[str]) -> tuple[FieldError, ...]:
        """The errors that are new, about rules as they are written."""
        return tuple([self._as_written(error) for error in errors if error.path not in known])

    def _as_written(self, error: FieldError) -> FieldError:
        value = error.value
        if not isinstance(value, Typed) or id(value.value) not in self._written:
            return error
        return error.replace(value=value.replace(value=self._written[id(value.value)][1]))

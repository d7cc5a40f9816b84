"""The rules of a schema compiled: what does not compile, is no condition, or looks at an old value that has no place.

Values are not judged here, and costs not yet. Source: k8s.io/apiextensions-apiserver
pkg/apis/apiextensions/validation validation.go, cel_validation.go; pkg/apiserver/schema/cel/compilation.go.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from protoc_gen_crd.admission.crd.cel import Schemas, Site
from protoc_gen_crd.admission.errors import INTERNAL, INVALID, FieldError, Typed
from protoc_gen_crd.admission.switches import MESSAGE_EXPRESSION, OPTIONAL_OLD_SELF, Switches
from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.check import Checked, compiled
from protoc_gen_crd.cel.environment import Environment
from protoc_gen_crd.cel.issues import Refusal
from protoc_gen_crd.cel.types import BOOL, STRING, Declarations, Declared, Type, optional
from protoc_gen_crd.schema.celnames import cel_name
from protoc_gen_crd.schema.types import EMBEDDED, VALIDATIONS, Rule, Schema

_SELF = "selfType"
_UNTYPED = (
    "internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert"
    " structural schema to CEL declarations"
)


class Compiler:
    """CEL as the admission of CRDs needs it, without its costs. Schemas are declared once for all versions alike."""

    def __init__(self) -> None:
        self._declarations: dict[object, Declarations] = {}

    def compiled(self, rules: Schemas, minor: int) -> Sequence[FieldError]:
        """What compiling the rules of a schema finds in Kubernetes 1.<minor>."""
        sizes = environment.sizes(minor)
        declarations = self._declarations.setdefault(sizes, Declarations(sizes))
        return [error for site in rules.sites for error in _of_site(site, rules, declarations, minor)]

    def evaluated(  # what is asked of does not matter as long as nothing is said
        self,
        node: Schema,  # noqa: ARG002
        value: object,  # noqa: ARG002
        old: object,  # noqa: ARG002
        path: str,  # noqa: ARG002
        minor: int,  # noqa: ARG002
        *,
        root: bool,  # noqa: ARG002
        budget: int,
    ) -> tuple[Sequence[FieldError], int]:
        """Nothing is said of values, and nothing is used of the budget: expressions are compiled only."""
        return (), budget

    def alike(self, minor: int) -> object:
        """The environments of a version, which are what compiling depends on."""
        new, stored = environment.new(minor), environment.stored(minor)
        return environment.sizes(minor), new.features, stored.features


def _of_site(site: Site, rules: Schemas, declarations: Declarations, minor: int) -> Iterator[FieldError]:
    declared = _declared(site, declarations)
    path = f"{site.path}.{VALIDATIONS}"
    if declared is None:
        yield FieldError(INTERNAL, path, _UNTYPED, origin=site.node.place(VALIDATIONS))
        return
    kind = declared.typed(_SELF)
    for index, rule in enumerate(site.node.rules):
        for error in _OfRule(rule, f"{path}[{index}]", rules, minor).errors(kind, site.uncorrelatable):
            yield error.replace(origin=rule.origin or site.node.place(VALIDATIONS))


def _declared(site: Site, declarations: Declarations) -> Declared | None:
    """A node as its rules see it: as part of the highest node above that has rules too."""
    found: Declared | None = None
    step, within = "", False
    for depth, (node, following) in enumerate(site.above):
        if within:
            found = _part(found, step)
        elif not node.get(VALIDATIONS):
            continue
        if found is None:
            found = declarations.of(node, root=not depth or bool(node.get(EMBEDDED)))
            if found is None:
                return None
        within, step = True, following
    return found


def _part(above: Declared | None, step: str) -> Declared | None:
    """What a declaration says of a child; None for a property that CEL cannot see there."""
    if above is None or not step.startswith(".properties["):
        return above and above.item
    return above.fields.get(cel_name(step[len(".properties[") : -1]))


class _OfRule:
    """One rule in its place."""

    def __init__(self, rule: Rule, path: str, rules: Schemas, minor: int) -> None:
        self.rule, self.path, self.rules, self.minor = rule, path, rules, minor
        self.switches = Switches.of(minor)
        known = OPTIONAL_OLD_SELF in self.switches and rules.optional
        self.optional = rule.optional_old_self if known else None

    def errors(self, kind: Type, uncorrelatable: str | None) -> Iterator[FieldError]:
        """All that is wrong with the rule on a value of this type."""
        variables = {"self": kind, "oldSelf": optional(kind) if self.optional else kind}
        shown = Typed("apiextensions.ValidationRule", self.rule)
        found = self._compiled(self.rule.rule, self.rules.stored[0], variables)
        fault = _fault(found, BOOL, "", "cel expression must evaluate to a bool")
        if fault is not None:
            yield FieldError(INVALID, f"{self.path}.rule", fault, shown)
        elif self.rule.message_expression and MESSAGE_EXPRESSION in self.switches:
            message = self._compiled(self.rule.message_expression, self.rules.stored[1], variables)
            fault = _fault(message, STRING, "messageExpression ", "messageExpression must evaluate to a string")
            if fault is not None:
                yield FieldError(INVALID, f"{self.path}.messageExpression", fault, shown)
        if isinstance(found, Checked) and found.type == BOOL and found.uses("oldSelf"):
            if uncorrelatable is not None:
                reason = f"oldSelf cannot be used on the uncorrelatable portion of the schema within {uncorrelatable}"
                yield FieldError(INVALID, f"{self.path}.rule", reason, self.rule.rule)
        elif self.optional is not None:
            reason = "may not be set if oldSelf is not used in rule"
            yield FieldError(INVALID, f"{self.path}.optionalOldSelf", reason, self.optional)

    def _compiled(self, text: str, known: frozenset[str], variables: Mapping[str, Type]) -> Checked | Refusal:
        within: Environment = (environment.stored if text in known else environment.new)(self.minor)
        return compiled(text, within, variables)


def _fault(found: Checked | Refusal, wanted: Type, prefix: str, otherwise: str) -> str | None:
    if isinstance(found, Refusal):
        return f"{prefix}compilation failed: {found}"
    return None if found.type == wanted else otherwise

"""The rules of a schema compiled and costed: what does not compile, is no condition, looks at an old value that has no
place, or costs too much.

Values are not judged here, but defaults by their rules. Source: k8s.io/apiextensions-apiserver
pkg/apis/apiextensions/validation validation.go, cel_validation.go; pkg/apiserver/schema/cel/compilation.go.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from protoc_gen_crd.admission.crd.cel import Schemas, Site
from protoc_gen_crd.admission.crd.costs import ONCE, Compiled, Count, Expression, count_of, dear, dear_together
from protoc_gen_crd.admission.crd.instantiation import instantiation_fault
from protoc_gen_crd.admission.errors import ABSENT, INTERNAL, INVALID, FieldError, Typed
from protoc_gen_crd.admission.expressions import Expressions
from protoc_gen_crd.admission.objects.structural import Structurals
from protoc_gen_crd.admission.switches import MESSAGE_EXPRESSION, OPTIONAL_OLD_SELF, Switches
from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.check import Checked
from protoc_gen_crd.cel.cost import estimate, table
from protoc_gen_crd.cel.environment import Environment
from protoc_gen_crd.cel.era import Era
from protoc_gen_crd.cel.issues import Refusal
from protoc_gen_crd.cel.traits import Environments
from protoc_gen_crd.cel.types import BOOL, STRING, Declared
from protoc_gen_crd.schema.celnames import cel_name
from protoc_gen_crd.schema.types import EMBEDDED, VALIDATIONS, Rule, Schema

if TYPE_CHECKING:
    from protoc_gen_crd.admission.objects.programs import Programs

_UNTYPED = (
    "internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert"
    " structural schema to CEL declarations"
)


class Compiler:
    """CEL as the admission of CRDs needs it. Schemas are declared, and texts compiled, once for all places alike."""

    def __init__(self) -> None:
        self.expressions = Expressions()
        self._costed: dict[tuple[int, int], list[tuple[Era, Compiled]]] = {}
        self._programs: dict[int, Programs] = {}
        self._structurals = Structurals()

    def compiled(self, rules: Schemas, era: Era) -> Sequence[FieldError]:
        """What compiling the rules of a schema and summing up their cost finds in the versions of an era."""
        errors: list[FieldError] = []
        costed: list[Expression] = []
        for site, declared in self.sites(rules, era):
            if declared is None:
                path, origin = f"{site.path}.{VALIDATIONS}", site.node.place(VALIDATIONS)
                errors.append(FieldError(INTERNAL, path, _UNTYPED, origin=origin))
                continue
            for rule in self.rules(site, declared, rules, era):
                errors += rule.errors(unlimited=rules.unlimited)
                costed += rule.expressions
        errors += dear_together(costed, rules.path, rules.root.origin)
        return errors

    def sites(self, rules: Schemas, era: Era) -> Iterator[tuple[Site, Declared | None]]:
        """The nodes with rules, and what each is to its rules; None for what CEL cannot see."""
        for site in rules.sites:
            yield site, self._declared(site, era)

    def _declared(self, site: Site, era: Era) -> Declared | None:
        """A node as its rules see it: as part of the highest node above that has rules too."""
        above = site.above
        top = next(depth for depth, (node, _) in enumerate(above) if node.get(VALIDATIONS))
        found = self._seen(above[top][0], era, root=not top or bool(above[top][0].get(EMBEDDED)))
        for _, step in above[top:-1]:
            found = _part(found, step)
        return found

    def _seen(self, node: Schema, era: Era, *, root: bool) -> Declared | None:
        """A node as a server sees it, and which others see it so: estimates take different things into account."""
        found = self.expressions.declarations(era.minor).of(node, root=root)
        era.ask(lambda minor: self.expressions.declarations(minor).of(node, root=root) is found)
        return found

    def rules(self, site: Site, declared: Declared, rules: Schemas, era: Era) -> Iterator[OfRule]:
        """The rules of a node, compiled."""
        count = count_of(site, declared)
        for index, rule in enumerate(site.node.rules):
            of_rule = OfRule(rule, f"{site.path}.{VALIDATIONS}[{index}]", site, era)
            of_rule.compile(self, declared, rules, count)
            yield of_rule

    def of_text(
        self, text: str, environments: Environments, declared: Declared, era: Era, *, is_optional: bool
    ) -> Compiled:
        """A text compiled where self is what is declared, and oldSelf is that or an optional of it."""
        found = self.expressions.compiled(text, environments, declared, era, is_optional=is_optional)
        answers = self._costed.setdefault((id(found), id(declared)), [])
        for known, made in answers:
            if known.holds(era.minor):
                era.join(known)
                return made
        own = Era(era.minor)
        made = _costed(found, environments(era.minor), declared, own)
        answers.append((own, made))
        era.join(own)
        return made

    def evaluated(
        self, node: Schema, value: object, old: object, path: str, minor: int, *, root: bool, budget: int
    ) -> tuple[Sequence[FieldError], int]:
        """What the rules of a node and below say of a default."""
        if node.get(VALIDATIONS) and self.expressions.declarations(minor).of(node, root=root) is None:
            detail = "rule compiler initialization error: failed to convert to declType for CEL validation rules"
            return [FieldError(INVALID, path, detail, node.type, node.place("default"))], budget
        from protoc_gen_crd.admission.objects.programs import Programs  # noqa: PLC0415 - few schemas have both
        from protoc_gen_crd.admission.objects.rules import Walk  # noqa: PLC0415

        programs = self._programs.get(minor)
        if programs is None:
            programs = self._programs[minor] = Programs(self.expressions, Switches.of(minor))
        walk = Walk(programs, budget)
        before = None if old is ABSENT else old
        walk.run(self._structurals.of(node, resource=root), value, before, path, None, root=root)
        return walk.errors, walk.left

    def alike(self, minor: int) -> object:
        """The environments of a version, and what its estimates go by: what defaults are judged by."""
        new, stored = environment.new(minor), environment.stored(minor)
        return environment.sizes(minor), new.features, stored.features, table.features(minor)


def _part(above: Declared | None, step: str) -> Declared | None:
    """What a declaration says of a child; None for a property that CEL cannot see there."""
    if above is None or not step.startswith(".properties["):
        return above and above.item
    return above.fields.get(cel_name(step[len(".properties[") : -1]))


class OfRule:
    """One rule in its place: itself and its messageExpression, as far as that is looked at."""

    def __init__(self, rule: Rule, path: str, site: Site, era: Era) -> None:
        self.rule, self.path, self.site, self.era = rule, path, site, era
        self.origin = rule.origin or site.node.place(VALIDATIONS)
        self.expressions: list[Expression] = []
        self.optional: bool | None = None

    def compile(self, compiler: Compiler, declared: Declared, rules: Schemas, count: Count) -> None:
        """Compile the rule, and its message where the rule is sound."""
        given = self.rule.optional_old_self if rules.optional else None
        self.optional = given if given is not None and self.era.ask(OPTIONAL_OLD_SELF.on) else None

        def expression(member: str, text: str, stored: frozenset[str], count: Count) -> Expression:
            environments = environment.stored if text in stored else environment.new
            within = environments(self.era.minor)
            made = compiler.of_text(text, environments, declared, self.era, is_optional=bool(self.optional))
            fault = _FAULTS[member](made)
            most = made.most if fault is None else 0
            path = f"{self.path}.{member}"
            return Expression(path, text, made, fault, most, count, self.origin, self.site, declared, within)

        self.expressions.append(expression("rule", self.rule.rule, rules.stored[0], count))
        message = self.rule.message_expression
        if message and self.expressions[0].fault is None and self.era.ask(MESSAGE_EXPRESSION.on):
            self.expressions.append(expression("messageExpression", message, rules.stored[1], ONCE))

    def errors(self, *, unlimited: bool) -> Iterator[FieldError]:
        """All that is wrong with the rule; with `unlimited`, not that it is dear."""
        shown = Typed("apiextensions.ValidationRule", self.rule)
        for expression in self.expressions:
            if expression.fault is not None:
                yield FieldError(INVALID, expression.path, expression.fault, shown, self.origin)
            elif not unlimited:
                yield from dear(expression)
        for error in self._of_old_self(self.expressions[0].found):
            yield error.replace(origin=self.origin)

    def _of_old_self(self, found: Checked | Refusal) -> Iterator[FieldError]:
        uncorrelatable = self.site.uncorrelatable
        if isinstance(found, Checked) and found.type == BOOL and found.uses("oldSelf"):
            if uncorrelatable is not None:
                reason = f"oldSelf cannot be used on the uncorrelatable portion of the schema within {uncorrelatable}"
                yield FieldError(INVALID, f"{self.path}.rule", reason, self.rule.rule)
        elif self.optional is not None:
            reason = "may not be set if oldSelf is not used in rule"
            yield FieldError(INVALID, f"{self.path}.optionalOldSelf", reason, self.optional)


def _costed(found: Checked | Refusal, within: Environment, declared: Declared, era: Era) -> Compiled:
    if isinstance(found, Refusal):
        return Compiled(found)
    most = estimate.estimate(found, within.minor, declared, era)[1]
    return Compiled(found, most, instantiation_fault(found, within, era))


def _of_rule(made: Compiled) -> str | None:
    if isinstance(made.found, Refusal):
        return f"compilation failed: {made.found}"
    if made.found.type != BOOL:
        return "cel expression must evaluate to a bool"
    return made.fault and f"program {made.fault}"


def _of_message(made: Compiled) -> str | None:
    if isinstance(made.found, Refusal):
        return f"messageExpression compilation failed: {made.found}"
    if made.found.type != STRING:
        return "messageExpression must evaluate to a string"
    return made.fault and f"messageExpression {made.fault}"


_FAULTS = {"rule": _of_rule, "messageExpression": _of_message}

"""Inclusion of CEL rules: whether every object that some rules accept is accepted by another one.

The answer False may mean that the inclusion is not recognized. API servers limit the cost of an evaluation, so the
other rule must not evaluate expensive expressions that the first ones do not.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, product

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.schemas.cel_rule_formula import (
    ALL,
    AT_LEAST,
    AT_MOST,
    FALSE,
    GREATER,
    IN,
    LESS,
    NOT_IN,
    TRUE,
    Constant,
    Fact,
    Formula,
    is_exact,
    make_presence,
)

Case = tuple[Fact, ...]  # facts that are all true
_MAX_STEPS = 20_000  # comparisons of facts
_MAX_CASES = 64
_MAX_SIZE = 8  # of sizes that are listed
_COMPARISONS = {LESS: operator.lt, AT_MOST: operator.le, GREATER: operator.gt, AT_LEAST: operator.ge}
_DIRECTIONS = ({LESS, AT_MOST}, {GREATER, AT_LEAST})


class SchemaFacts(Record):
    """Facts about all objects of a schema, and the facts about those for which other facts are true.

    Each field of the variables in `variables` is either set or not. `items` has the facts about the items of the short
    list that a fact is about.
    """

    facts: Case = ()
    dependent_facts: tuple[tuple[Fact, Fact], ...] = ()
    variables: tuple[str, ...] = ()
    items: Mapping[Fact, SchemaFacts] = {}


class _ExhaustedError(Exception):
    """The limit of an inclusion is reached."""


def is_included(
    premises: Sequence[Formula], conclusion: Formula, schema: SchemaFacts, *, are_replaced: bool = False
) -> bool:
    """Report whether a rule accepts all objects that other rules accept, within the same limits of the cost.

    Args:
        premises: The formulas of the other rules.
        conclusion: The formula of the rule.
        schema: Facts about all objects.
        are_replaced: Whether the rule replaces the others, so that it can evaluate what they evaluate.
    """
    proof = _Proof(schema, _CHEAP if not are_replaced else _REPLACED)
    try:
        parts = list(_list_conjuncts(conclusion))
        return all(any(proof.proves(chosen, part) for chosen in _choose(premises)) for part in parts)
    except _ExhaustedError:
        return False


def list_facts(formula: Formula) -> Iterator[Fact]:
    """Yield the facts of a formula."""
    if formula.operator == "fact":
        yield formula.fact
    for part in formula.operands:
        yield from list_facts(part)


def _choose(premises: Sequence[Formula]) -> Iterator[Sequence[Formula]]:
    """Yield each premise, and all of them together."""
    yield from ([premise] for premise in premises)
    if len(premises) != 1:
        yield premises


def _list_conjuncts(formula: Formula) -> Iterator[Formula]:
    if formula.operator == "and":
        yield from chain.from_iterable(map(_list_conjuncts, formula.operands))
    else:
        yield formula


# What a rule may evaluate: cheap expressions, also the expensive ones of the rule that it replaces, or only those that
# this rule evaluates, too, for each item of a list.
_CHEAP, _REPLACED, _REPEATED = "cheap", "replaced", "repeated"


class _Proof:
    """A proof with a limited number of steps."""

    def __init__(self, schema: SchemaFacts, cost: str, remaining: int = _MAX_STEPS) -> None:
        self._schema, self._cost, self.remaining = schema, cost, remaining

    def proves(self, premises: Sequence[Formula], conclusion: Formula) -> bool:
        """Report whether formulas imply another one, in each case in which they are true."""
        cases = [self._list_cases(premise, TRUE) for premise in premises]
        undecided = [fact for fact in list_facts(conclusion) if self._is_decidable(fact)]
        return all(
            self._is_true(tuple(chain(self._schema.facts, *parts)), conclusion, undecided) for parts in _multiply(cases)
        )

    def _is_decidable(self, fact: Fact) -> bool:
        """Report whether a fact or its opposite is true for every object."""
        is_field = fact.is_presence and len(fact.path) == len(("self", "field"))
        return is_field and fact.path[0] in self._schema.variables

    def _is_true(self, case: Case, conclusion: Formula, undecided: Sequence[Fact]) -> bool:
        case += tuple(fact for condition, fact in self._schema.dependent_facts if self._is_known(case, condition))
        if any(self._is_known(case, fact.negate()) for fact in case):
            return True  # no object has these facts
        evaluated = self._list_evaluated(case, conclusion)
        if self._follows(case, conclusion, TRUE) and all(self._may_evaluate(case, part) for part in evaluated):
            return True
        for index, fact in enumerate(undecided):
            if not self._is_known(case, fact) and not self._is_known(case, fact.negate()):
                rest = undecided[index + 1 :]
                return all(self._is_true((*case, side), conclusion, rest) for side in (fact, fact.negate()))
        return False

    def _list_cases(self, formula: Formula, result: str) -> list[Case]:
        """Return the cases in which a formula has a result: the facts that decide its evaluation."""
        if formula.operator == "fact":
            return [(formula.fact if result == TRUE else formula.fact.negate(),)]
        if formula.operator in (TRUE, FALSE):
            return [()] if formula.operator == result else []
        if formula.operator == "not":
            return self._list_cases(formula.operands[0], _OTHER[result])
        if formula.operator == "if":
            condition, yes, no = formula.operands
            sides = ((TRUE, yes), (FALSE, no))
            groups = [[self._list_cases(condition, side), self._list_cases(part, result)] for side, part in sides]
            cases = [case for group in groups for case in _join(group)]
        else:
            parts = [self._list_cases(part, result) for part in formula.operands]
            are_all = (formula.operator == "and") == (result == TRUE)
            cases = _join(parts) if are_all else [case for part in parts for case in part]
        if len(cases) > _MAX_CASES:
            raise _ExhaustedError
        return cases

    def _follows(self, case: Case, formula: Formula, result: str) -> bool:
        """Report whether a formula certainly has a result in a case."""
        if formula.operator == "fact":
            return self._is_known(case, formula.fact if result == TRUE else formula.fact.negate())
        if formula.operator in (TRUE, FALSE):
            return formula.operator == result
        if formula.operator == "not":
            return self._follows(case, formula.operands[0], _OTHER[result])
        if formula.operator == "if":
            condition, yes, no = formula.operands
            return any(
                self._follows(case, condition, side) and self._follows(case, part, result)
                for side, part in ((TRUE, yes), (FALSE, no))
            )
        is_any = (formula.operator == "or") == (result == TRUE)
        return (any if is_any else all)(self._follows(case, part, result) for part in formula.operands)

    def _list_evaluated(self, case: Case, formula: Formula) -> Iterator[Formula]:
        """Yield the facts that servers may evaluate in a case."""
        if formula.operator == "fact":
            yield formula
        elif formula.operator == "if":
            condition, yes, no = formula.operands
            yield from self._list_evaluated(case, condition)
            for side, part in ((FALSE, yes), (TRUE, no)):
                if not self._follows(case, condition, side):
                    yield from self._list_evaluated(case, part)
        else:
            last = {"and": FALSE, "or": TRUE}.get(formula.operator, "")
            for part in formula.operands:
                yield from self._list_evaluated(case, part)
                if last and self._follows(case, part, last):
                    return

    def _may_evaluate(self, case: Case, formula: Formula) -> bool:
        """Report whether a rule may evaluate a fact, because it is cheap, or evaluated for the facts of a case."""
        fact = formula.fact
        if self._is_true_for_items(case, fact):
            return True
        if self._cost != _REPEATED and (formula.is_cheap or self._cost == _CHEAP):
            return formula.is_cheap
        if not self._is_known(case, fact) and not self._is_known(case, fact.negate()):
            return False
        sizes = [_count_constants(other) for other in case if other.subject == fact.subject]
        return self._cost == _REPLACED or _count_constants(fact) <= max(sizes, default=0)

    def _is_known(self, case: Case, target: Fact) -> bool:
        """Report whether the facts of a case imply a fact."""
        self.remaining -= len(case) + 1
        if self.remaining < 0:
            raise _ExhaustedError
        if target.is_presence and target.relation == TRUE and any(_requires(fact, target.path) for fact in case):
            return True
        is_implied = any(fact.subject == target.subject and self._implies(fact, target) for fact in case)
        return is_implied or self._is_true_for_items(case, target)

    def _is_true_for_items(self, case: Case, target: Fact) -> bool:
        """Report whether a fact is about all items of a list, and the schema of the items implies it cheaply."""
        schema = self._schema.items.get(target) if target.relation == ALL else None
        if schema is None or (len(target.path) > 1 and not self._is_known(case, make_presence(target.path))):
            return False
        proof = _Proof(schema, _CHEAP, self.remaining)
        is_proven = proof.proves([], target.value)
        self.remaining = proof.remaining
        return is_proven

    def _implies(self, fact: Fact, target: Fact) -> bool:
        """Report whether a fact implies another one about the same subject."""
        if fact == target:
            return True
        if fact.relation == target.relation == ALL:
            proof = _Proof(SchemaFacts(), _REPEATED, self.remaining)
            is_proven = proof.proves([fact.value], target.value)
            self.remaining = proof.remaining
            return is_proven
        if fact.relation == IN:
            return all(_satisfies(constant, target) for constant in fact.value)
        if fact.relation == NOT_IN:
            return _excludes_constants(fact, target)
        return fact.relation in _COMPARISONS and _bounds(fact, target)


_OTHER = {TRUE: FALSE, FALSE: TRUE}


def _multiply(parts: Sequence[Sequence[Case]]) -> Iterator[tuple[Case, ...]]:
    """Yield the combinations of one case of each part."""
    count = 1
    for part in parts:
        count *= len(part)
    if count > _MAX_CASES:
        raise _ExhaustedError
    return product(*parts)


def _join(parts: Sequence[Sequence[Case]]) -> list[Case]:
    """Return the cases of facts that are in one case of each part."""
    return [tuple(chain(*combination)) for combination in _multiply(parts)]


def _count_constants(fact: Fact) -> int:
    return len(fact.value) if fact.relation in (IN, NOT_IN) else 1


def _requires(fact: Fact, path: Sequence[str]) -> bool:
    """Report whether a fact shows that a field is set, because its evaluation would otherwise be an error."""
    required = fact.path[:-1] if fact.is_presence and fact.relation == FALSE else fact.path
    return required[: len(path)] == path


def _satisfies(constant: Constant, target: Fact) -> bool:
    """Report whether a constant satisfies a fact; False for constants of different types."""
    if target.relation == IN:
        return constant in target.value
    if target.relation == NOT_IN:
        return constant not in target.value and all(other[0] == constant[0] for other in target.value)
    if target.relation not in _COMPARISONS or target.value[0] != constant[0]:
        return False
    return is_exact(constant) and bool(_COMPARISONS[target.relation](constant[1], target.value[1]))


def _excludes_constants(fact: Fact, target: Fact) -> bool:
    """Report whether a value that is none of some constants satisfies a fact."""
    if target.relation == NOT_IN:
        return bool(target.value <= fact.value)
    is_bound = fact.is_size and target.relation == AT_LEAST and target.value[0] == "int"
    return is_bound and _lists_sizes(fact.value, target.value[1])


def _bounds(fact: Fact, target: Fact) -> bool:
    """Report whether a value within a bound satisfies a fact."""
    kind, bound = fact.value
    if target.relation == NOT_IN:
        return all(other[0] == kind and is_exact(other) and not _satisfies(other, fact) for other in target.value)
    if target.relation == IN:
        is_bound = fact.is_size and fact.relation == AT_MOST and kind == "int"
        return is_bound and _lists_sizes(target.value, bound + 1)
    if not any({fact.relation, target.relation} <= direction for direction in _DIRECTIONS):
        return False
    is_inside = _satisfies(fact.value, target)
    return is_inside or (fact.relation in (LESS, GREATER) and fact.value == target.value)


def _lists_sizes(constants: Collection[Constant], end: int) -> bool:
    """Report whether constants contain all sizes below a number."""
    return end <= _MAX_SIZE and all(("int", size) in constants for size in range(end))

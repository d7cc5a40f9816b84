"""Random workloads for CEL."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from random import Random
from typing import Any

from protoc_gen_crd.admission.crd.rules.program_creation import find_instantiation_error
from protoc_gen_crd.admission.expression_compiler import ExpressionCompiler
from protoc_gen_crd.cel.checker.checker import compile_text
from protoc_gen_crd.cel.cost.cost_estimate import estimate
from protoc_gen_crd.cel.environment import get_stored_environment
from protoc_gen_crd.cel.parser.issues import Rejection
from protoc_gen_crd.cel.parser.lexer import _make_token_pattern
from protoc_gen_crd.kubernetes.shared_results import RecordingSwitches
from tests.judges.celfuzz.requests import request
from tests.judges.celtypes.evaluated import of_compiled
from tests.judges.celtypes.ours import declared_in, schema_in, surroundings
from tests.property.workloads.draws import MINORS, Outcome, list_more


@cache
def _draw_expression(minor: int, seed: int) -> dict[str, Any]:
    return dict(request(minor, seed, Counter(), 3))


def evaluate_expressions(seeds: Iterable[int]) -> Iterator[Outcome]:
    """Types, estimates, values and costs of random expressions."""
    for seed in list_more(seeds, 10):
        minor = MINORS[seed % len(MINORS)]
        expression = _draw_expression(minor, seed)
        within, variables = surroundings(expression, minor)
        compiled = compile_text(expression["expr"], within, variables)
        answer = of_compiled(compiled, expression, minor)
        if not isinstance(compiled, Rejection):
            answer["estimate"] = repr(estimate(compiled, minor, declared_in(expression, minor)))
        if str(answer.get("error")).startswith("operation cancelled"):
            del answer["cost"]  # it is above the limit, and no server reports it
        yield json.dumps(answer, sort_keys=True, default=repr)


def compile_expressions(seeds: Iterable[int]) -> Iterator[Outcome]:
    """Types and errors of random expressions in all versions, from one compiler."""
    compiler = ExpressionCompiler()
    for seed in seeds:
        expression = _draw_expression(MINORS[-1], seed)
        schema = schema_in(expression)
        for minor, text in product(MINORS, (expression["expr"], "self.s", "self.t", "[self.k]")):
            declared = compiler.get_declarations(minor).declare(schema, root=expression.get("root", False))
            if declared is not None:
                result = compiler.compile_expression(
                    text, get_stored_environment, declared, RecordingSwitches(minor), is_optional=seed % 7 == 0
                )
                yield (
                    text,
                    minor,
                    str(result) if isinstance(result, Rejection) else (repr(result.type), result.references),
                )


_CONSTANTS = ("'x'", "'1'", "1", "-1", "1u", "1.5", "1e300", "true", "null", "b'a'", "[]", "int", "self.i", "self.s")


_CALLS = (
    "dyn({})", "int({})", "uint({})", "double({})", "string({})", "bool({})", "bytes({})", "duration({})", "type({})",
    "timestamp({})", "[{}]", "{{'a': {}}}", "dyn([{}])", "self.s.matches({})", "dyn(self.m)[{}]", "{} == 1",
    "(1 in {})", "[{}].all(t, t == dyn(1))", "(true ? {} : dyn(1))",
)  # fmt: skip


def instantiate_programs(seeds: Iterable[int]) -> Iterator[Outcome]:
    """Return the reasons why programs of random expressions with constants cannot be created."""
    properties = {"s": {"type": "string"}, "i": {"type": "integer"}, "m": {"type": "object"}}
    expression = {"schema": {"type": "object", "properties": properties}, "expr": ""}
    for seed in list_more(seeds, 3):
        random, minor = Random(seed), MINORS[seed % len(MINORS)]
        text = random.choice(_CONSTANTS)
        for _ in range(random.randint(1, 4)):
            text = random.choice(_CALLS).format(text)
        within, variables = surroundings(expression, minor)
        compiled = compile_text(text, within, variables)
        yield (
            text,
            isinstance(compiled, Rejection) or find_instantiation_error(compiled, within, RecordingSwitches(minor)),
        )


NO_TOKENS = re.compile(r"(?s)(?:((?!))|((?!))|((?!))|((?!))|((?!))|((?!))|(\Z)|(.))")


BAD_STRINGS = re.compile(_make_token_pattern(r"""'[^']*'|"[^"]*\""""))

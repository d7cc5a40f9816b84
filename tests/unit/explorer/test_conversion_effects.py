"""The effects of conversion steps: all steps have one, and they use no names of steps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from protoc_gen_crd.conversion.plan.container_steps import ContainerStep
from protoc_gen_crd.conversion.plan.copy_steps import Copy, CopyWithDefault, ObjectStep
from protoc_gen_crd.conversion.plan.step_base import StepBase
from protoc_gen_crd.conversion.plan.value_steps import ComputedStep, Split, ValueTable
from protoc_gen_crd.explorer.conversion_effects import EFFECTS, describe_effect


def list_classes(base: type[Any]) -> Iterator[type[Any]]:
    for subclass in base.__subclasses__():
        yield subclass
        yield from list_classes(subclass)


def test_all_steps_have_an_effect() -> None:
    abstract = {ContainerStep, ComputedStep}
    assert set(list_classes(StepBase)) - abstract == set(EFFECTS)
    assert StepBase not in EFFECTS


@pytest.mark.parametrize(
    ("step", "effect"),
    [
        (Copy(("spec", "a"), ("spec", "a")), "copied"),
        (Copy(("spec", "a"), ("spec", "b")), "renamed"),
        (ObjectStep(("spec",), ("spec",)), ""),
        (CopyWithDefault(("a",), ("b",), value="x"), 'renamed, or set to "x" if it is unset'),
        (Split(("a",), ("b",), separator=":", index=1, count=2), 'part 2 of 2, split at ":"'),
        (ValueTable(("a",), ("a",), pairs=(("OFF", "no"), ("ON", "yes"))), "values: OFF → no, ON → yes"),
    ],
)
def test_effects_are_in_words(step: Any, effect: str) -> None:
    assert describe_effect(step) == effect

"""The page of CEL macros, from the table that expands them."""

from __future__ import annotations

from docs.reference.text import paragraph
from protoc_gen_crd.cel.macros import PROJECT_MACROS, preprocess
from protoc_gen_crd.cel.parser.macro_expansion import Macro

_INTRODUCTION = """# CEL rules and macros

A rule is written as an option or as a comment, on a field, a message or an enum:

```proto
// +kubebuilder:validation:XValidation:rule="self.min <= self.max",message="min must not be above max"
message Range {
  option (protoc_gen_crd.v1.message).rules = {rule: "self.min >= 0" message: "min must not be negative"};
  int32 min = 1;
  int32 max = 2;
}
```

Fields have their JSON names, escaped where CEL demands it. A rule that uses none of the macros below stays as it is
written. One that does becomes a rule that every Kubernetes server knows: macros are expanded, and the whole is
printed in the canonical form of cel-go, which is also how `compat=istio` prints every rule.

"""


def page() -> str:
    """Every macro with what it means and what becomes of it. The examples are run when this is made."""
    macros = [macro for name in sorted(PROJECT_MACROS) for macro in PROJECT_MACROS[name]]
    return (_INTRODUCTION + "".join(map(_macro, macros))).rstrip() + "\n"


def _macro(macro: Macro) -> str:
    shown = "".join(f"{rule}\n  -> {_expanded(rule)}\n" for rule, _ in macro.examples)
    return f"## {macro.name}\n\n{paragraph(macro.doc)}```\n{shown}```\n\n"


def _expanded(rule: str) -> str:
    made = preprocess(rule)
    if not isinstance(made, str):
        raise TypeError(f"the example {rule} of a macro is wrong: {made}")
    return made

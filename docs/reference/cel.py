"""The page of CEL macros, from the table that expands them."""

from __future__ import annotations

from docs.reference.text import paragraph
from protoc_gen_crd.cel.parser.macro_expansion import Macro
from protoc_gen_crd.cel.project_macros import PROJECT_MACROS, preprocess

_INTRODUCTION = """# CEL rules and macros

This reference is for API authors who write CEL rules. A rule is an option or a comment marker of a field, a message, or
an enum:

```proto
// +kubebuilder:validation:XValidation:rule="self.min <= self.max",message="min must not be above max"
message Range {
  option (protoc_gen_crd.v1.message).rules = {rule: "self.min >= 0" message: "min must not be negative"};
  int32 min = 1;
  int32 max = 2;
}
```

Rules use the JSON names of fields, escaped as CEL requires. A rule without the macros below is written unchanged. A
rule with macros is expanded to plain CEL, which every API server supports, and printed in the canonical form of
cel-go. `compat=istio` prints every rule in that form.

"""


def page() -> str:
    """Return the page: every macro with its meaning and its expansion. The examples are executed."""
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

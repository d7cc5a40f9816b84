"""One module per surface; `FUZZERS` has all fuzzers by name."""

from __future__ import annotations

from tests.fuzz.harness import Fuzzer

from .branches import Branches
from .changes import Changes, Examples
from .conversions import Conversions, Rules
from .crds import Crds
from .documents import Bodies, Documents
from .expressions import Expressions, Macros, Phrases, SecondOpinions
from .histories import Histories
from .kinds import Kinds
from .linting import Linting
from .patterns import Formats, Patterns, Quantities
from .proofs import Proofs
from .protos import Comments, Protos
from .requests import Images, Requests
from .reviews import Reviews
from .rule_inclusions import RuleInclusions
from .settings import Parameters, SettingsFiles
from .shortcuts import Shortcuts

FUZZERS: dict[str, Fuzzer] = {
    fuzzer.name: fuzzer
    for fuzzer in (
        Protos(), Comments(), Requests(), Images(), Crds(), Documents(), Bodies(), Expressions(), Phrases(), Macros(),
        SecondOpinions(),
        Rules(), Conversions(), SettingsFiles(), Parameters(), Reviews(), Histories(), Patterns(), Formats(),
        Quantities(), Changes(), Branches(), Examples(), Kinds(), Linting(), Proofs(),
        RuleInclusions(), Shortcuts(),
    )
}  # fmt: skip

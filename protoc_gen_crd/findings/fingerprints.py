"""Fingerprints of findings: the same in the next run, even if the finding has moved to another line.

Programs that compare two reports recognize known findings by them. They depend on neither lines nor
messages: on the rule and its element, or else on the file and the text of its line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from protoc_gen_crd.base.checksums import compute_digest
from protoc_gen_crd.findings.report_order_and_limits import ReportItem

_LENGTH = 32  # hexadecimal digits
_NUMBER = re.compile("[0-9]+")


def make_fingerprints(items: Sequence[ReportItem]) -> list[str]:
    """Return a fingerprint for each finding. Findings with the same identity are counted in their order."""
    seen: Counter[tuple[str, ...]] = Counter()
    fingerprints = []
    for item in items:
        identity = _get_identity(item)
        seen[identity] += 1
        data = "\0".join((*identity, str(seen[identity])))
        fingerprints.append(compute_digest(data.encode(errors="surrogateescape"))[:_LENGTH])
    return fingerprints


def _get_identity(item: ReportItem) -> tuple[str, ...]:
    """Return the parts of a finding that stay the same while other lines change."""
    if item.path:
        return item.rule, item.path
    text = item.snippet.text.strip() if item.snippet else _NUMBER.sub("0", item.message)
    return item.rule, item.at.file if item.at else "", text

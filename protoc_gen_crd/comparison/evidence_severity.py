"""Severities of changes: by the profile of the kind, the stability of the version, and the evidence."""

from __future__ import annotations

from protoc_gen_crd.comparison.change import Change, ChangeClass
from protoc_gen_crd.comparison.change_rules import CHANGE_RULES
from protoc_gen_crd.comparison.schemas.enforced_keywords import is_in_status
from protoc_gen_crd.comparison.severity_profiles import DEFAULT_PROFILES, ProfileChoice
from protoc_gen_crd.findings.finding import Severity


def get_severity(change: Change, profiles: ProfileChoice = DEFAULT_PROFILES) -> Severity | None:
    """Return the severity of a change by its profile, None for that of its rule.

    A change that API servers reject is an error, whatever the profile and the stability. The severity of others is one
    level lower if the search for an example was in vain, or if only controllers write the changed element, but not
    lower than that of the same change where it rejects nothing.
    """
    profile, own_class = profiles.find(change.kind), CHANGE_RULES[change.rule].change_class
    severity = Severity.ERROR if change.is_rejected else profile.decide(change).severity
    is_weak = not change.is_proven or (change.change_class is ChangeClass.TIGHTEN and is_in_status(change.path))
    harmless = ChangeClass.LOOSEN if own_class >= ChangeClass.TIGHTEN else own_class
    lowest = profile.decide(change.replace(change_class=harmless)).severity
    lowered = Severity(severity - 1) if is_weak and severity > lowest else severity
    is_own = change.change_class == own_class
    usual = change.replace(versions=(), removed_versions=(), is_due=False)
    is_usual = lowered == DEFAULT_PROFILES.find(change.kind).decide(usual).severity
    return None if is_own and is_usual else lowered

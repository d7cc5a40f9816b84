"""Profiles: the decision tables of the guides for API changes, with the requirement and the severity of each change.

Sources: Kubernetes' "Changing the API" and deprecation policy; Istio's API guidelines; Open Cluster Management's guide
for API changes; the API guide of csi-proxy (immutable); Cinder's guide for API microversions (microversion).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.change import Change, ChangeClass
from protoc_gen_crd.findings.finding import Severity
from protoc_gen_crd.kubernetes.api_version_order import parse_version
from protoc_gen_crd.kubernetes.version_ranges import is_release

NONE, ADDITIVE, LOOSEN = ChangeClass.NONE, ChangeClass.ADDITIVE, ChangeClass.LOOSEN
SEMANTIC, TIGHTEN, BREAK = ChangeClass.SEMANTIC, ChangeClass.TIGHTEN, ChangeClass.BREAK
NOTE, WARNING, ERROR = Severity.NOTE, Severity.WARNING, Severity.ERROR


class Requirement(IntEnum):
    """The requirement of a change before it can be released, from the weakest to the strongest."""

    NOTHING = 0
    MINOR_RELEASE = 1
    NEXT_MICROVERSION = 2
    NEW_VERSION = 3
    DEPRECATION = 4
    NOT_REMOVED = 5
    NOT_ALLOWED = 6


NOTHING, MINOR_RELEASE = Requirement.NOTHING, Requirement.MINOR_RELEASE
NEXT_MICROVERSION, NEW_VERSION = Requirement.NEXT_MICROVERSION, Requirement.NEW_VERSION
DEPRECATION, NOT_REMOVED = Requirement.DEPRECATION, Requirement.NOT_REMOVED
NOT_ALLOWED = Requirement.NOT_ALLOWED


class Decision(Record):
    """A row of a decision table: a question about a change, and the requirement and severity if the answer is yes.

    The answer is yes for changes of one of the classes, if `rules` is not empty only for rules with one of these
    prefixes, with `is_alpha` only if the change is limited to alpha versions, with `is_due` only for removals after
    the end of the deprecation period, and with `is_number` only for microversions such as 3.4.
    """

    question: str
    requirement: Requirement
    severity: Severity
    classes: tuple[ChangeClass, ...]
    rules: tuple[str, ...] = ()
    is_alpha: bool = False
    is_due: bool = False
    is_number: bool = False

    def matches(self, change: Change) -> bool:
        """Return whether the answer for a change is yes."""
        return (
            change.change_class in self.classes
            and (not self.rules or change.rule.startswith(self.rules))
            and (not self.is_alpha or is_limited_to_alpha(change))
            and (not self.is_due or change.is_due)
            and (not self.is_number or all(map(is_release, change.versions)))
        )


class Profile(Record):
    """A guide: its name, the question that a suppression with a reason answers, and its decisions in order."""

    guide: str
    acceptance: str
    decisions: tuple[Decision, ...]

    def decide(self, change: Change) -> Decision:
        """Return the first decision whose answer is yes."""
        return next((decision for decision in self.decisions if decision.matches(change)), _NO_CONTRACT)


_NO_CONTRACT = Decision("Is only documentation, display or deprecation changed?", NOTHING, NOTE, (NONE,))
_STORAGE = Decision(
    "Does the storage version or the conversion of stored objects change?", MINOR_RELEASE, WARNING, (SEMANTIC,),
    ("change-storage-version", "change-conversion"),
)  # fmt: skip
_WIRE = Decision(
    "Does only the binary form of a kind change, which API servers do not use?",
    MINOR_RELEASE,
    WARNING,
    (SEMANTIC,),
    (
        "change-field-number",
        "change-enum-number",
        "change-number-reused",
        "change-wire-type",
        "change-field-oneof",
        "change-package",
        "change-message-name",
    ),
)
_RESERVATION = Decision(
    "Can the number or the name of a removed element be used again?",
    MINOR_RELEASE,
    WARNING,
    (SEMANTIC,),
    ("change-unreserved", "change-reservation-removed"),
)
_NEW_NAMES = Decision(
    "Is a kind or a version added?", MINOR_RELEASE, NOTE, (ADDITIVE,),
    ("change-kind-added", "change-version-added", "change-version-served"),
)  # fmt: skip
_ALPHA = Decision(
    "Is an alpha version changed incompatibly?", MINOR_RELEASE, WARNING, (SEMANTIC, TIGHTEN, BREAK), is_alpha=True
)
_DUE = Decision(
    "Is an element removed after the end of its deprecation period?", MINOR_RELEASE, NOTE, (TIGHTEN, BREAK), is_due=True
)
# A new version does not help the clients of what is removed.
_UNSERVED = Decision(
    "Is a kind or a version removed?", DEPRECATION, ERROR, (BREAK,),
    ("change-kind-removed", "change-version-removed", "change-version-unserved"),
)  # fmt: skip
_BROKEN = "Is an element removed or renamed, or does it get another type?"
_REJECTED = "Are objects rejected that were accepted?"
_MEANING = "Do the same objects get another meaning?"
_ADDED = Decision("Is an optional element added?", MINOR_RELEASE, NOTE, (ADDITIVE,))
_ACCEPTED = Decision("Are objects accepted that were rejected?", MINOR_RELEASE, NOTE, (LOOSEN,))

IMMUTABLE = "immutable"  # the profile that compares descriptors
PROFILES: Mapping[str, Profile] = {
    "kubernetes": Profile(
        "Kubernetes",
        "Is the change harmless for another reason, for example because no object uses the field?",
        (
            _STORAGE,
            _WIRE,
            _RESERVATION,
            _ALPHA,
            _DUE,
            _UNSERVED,
            Decision(_BROKEN, NEW_VERSION, ERROR, (BREAK,)),
            Decision(_REJECTED, NEW_VERSION, ERROR, (TIGHTEN,)),
            Decision(_MEANING, NEW_VERSION, WARNING, (SEMANTIC,)),
            _ADDED,
            _ACCEPTED,
            _NO_CONTRACT,
        ),
    ),
    "istio": Profile(
        "Istio",
        "Is the stricter validation already enforced elsewhere, or is the change an agreed exception?",
        (
            _STORAGE,
            _RESERVATION,
            _UNSERVED.replace(requirement=NOT_REMOVED),
            Decision(_BROKEN, NOT_ALLOWED, ERROR, (BREAK,)),
            Decision(_REJECTED, NOT_ALLOWED, ERROR, (TIGHTEN,)),
            Decision(_MEANING, NOT_ALLOWED, ERROR, (SEMANTIC,)),
            _ADDED,
            _ACCEPTED,
            _NO_CONTRACT,
        ),
    ),
    "open-cluster-management": Profile(
        "Open Cluster Management",
        "Does everything work as before without the change, and is each object interpreted as before?",
        (
            _STORAGE,
            _WIRE,
            _RESERVATION,
            _ALPHA,
            _DUE,
            _UNSERVED,
            Decision(_BROKEN, NEW_VERSION, ERROR, (BREAK,)),
            Decision(_REJECTED, NEW_VERSION, ERROR, (TIGHTEN,)),
            Decision(_MEANING, NEW_VERSION, ERROR, (SEMANTIC,)),
            Decision("Is an alpha version changed to accept more?", MINOR_RELEASE, NOTE, (LOOSEN,), is_alpha=True),
            Decision("Is an enum value added?", NEW_VERSION, ERROR, (LOOSEN,), ("change-enum-value-added",)),
            Decision("Do values that were explicitly invalid become valid?", NEW_VERSION, WARNING, (LOOSEN,)),
            _ADDED,
            _NO_CONTRACT,
        ),
    ),
    IMMUTABLE: Profile(
        "csi-proxy",
        "Is the version not released yet?",
        (
            _NEW_NAMES,
            _STORAGE,
            _RESERVATION.replace(rules=("change-unreserved",)),
            _DUE.replace(rules=_UNSERVED.rules),
            _UNSERVED,
            Decision(
                "Is anything but documentation and deprecation of an existing version changed?", NEW_VERSION, ERROR,
                (ADDITIVE, LOOSEN, SEMANTIC, TIGHTEN, BREAK),
            ),
            Decision(
                "Is a column, the message of a rule, or the form of a schema or descriptor changed?", NEW_VERSION,
                ERROR, (NONE,),
                (
                    "change-column", "change-rule-message", "change-no-effect", "change-descriptor",
                    "change-field-presence",
                ),
            ),
            _NO_CONTRACT,
        ),
    ),
    "microversion": Profile(
        "Cinder",
        "Is it a bug fix: did the old code fail silently, or with an internal error (500)?",
        (
            _STORAGE,
            _RESERVATION,
            Decision("Does the status of a request change?", NEXT_MICROVERSION, ERROR, (LOOSEN, TIGHTEN)),
            Decision(
                "Is an attribute added to a payload, removed from it, or changed?", NEXT_MICROVERSION, ERROR,
                (ADDITIVE, BREAK), ("change-field", "change-type", "change-map-object", "change-unknown-fields"),
            ),
            Decision("Does the meaning of a parameter or value change?", NEXT_MICROVERSION, ERROR, (SEMANTIC,)),
            Decision(
                "Is a microversion allocated?", NEXT_MICROVERSION, NOTE, (ADDITIVE,), ("change-version-added",),
                is_number=True,
            ),
            Decision("Is a resource or a feature added or removed?", NEXT_MICROVERSION, ERROR, (ADDITIVE, BREAK)),
            _NO_CONTRACT,
        ),
    ),
}  # fmt: skip


class ProfileChoice:
    """The profiles of a run: by `group/Kind`, by group, and with an empty key of all other kinds."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = {"": "kubernetes", **names}

    def find_name(self, kind: str) -> str:
        """Return the name of the profile of a kind, which is `group/Kind`."""
        keys = kind, kind.rpartition("/")[0], ""
        return next(self._names[key] for key in keys if key in self._names)

    def find(self, kind: str) -> Profile:
        """Return the profile of a kind, which is `group/Kind`."""
        return PROFILES[self.find_name(kind)]


DEFAULT_PROFILES = ProfileChoice({})


def is_limited_to_alpha(change: Change) -> bool:
    """Return whether a change is only in alpha versions, which have no compatibility guarantee."""
    versions = change.versions or change.removed_versions
    return bool(versions) and not any(map(is_released, versions))


def is_released(version: str) -> bool:
    """Return whether a version has a compatibility guarantee; alpha versions have none."""
    parsed = parse_version(version)
    return parsed is None or parsed[1] > 0

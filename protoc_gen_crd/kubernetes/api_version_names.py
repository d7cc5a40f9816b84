"""Names of API versions: the names that the conventions of Kubernetes allow, and the ones that follow others.

Source: Kubernetes' API conventions and deprecation policy; stages follow each other as alpha, beta, stable.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from protoc_gen_crd.kubernetes.api_version_order import get_age_key, parse_version

_NAME = re.compile(r"v[1-9][0-9]{0,8}((alpha|beta)[1-9][0-9]{0,8})?")
_ALPHA, _BETA, _STABLE = range(3)


def is_version_name(name: str) -> bool:
    """Return whether a name is vN, vNalphaM or vNbetaM, with numbers from 1."""
    return _NAME.fullmatch(name) is not None


def find_newest(versions: Iterable[str]) -> str:
    """Return the newest version by age, empty if no name is a version."""
    return max((name for name in versions if parse_version(name)), key=get_age_key, default="")


def list_next_names(versions: Iterable[str]) -> list[str]:
    """Return the names that may follow the newest version, the next of its stage first; v1alpha1 if there is none.

    After an alpha version come the next alpha and the first beta, after a beta the next beta and the stable version,
    and after vN comes vN+1alpha1.
    """
    parsed = parse_version(find_newest(versions))
    if parsed is None:
        return ["v1alpha1"]
    major, stage, number = parsed
    return {
        _ALPHA: [f"v{major}alpha{number + 1}", f"v{major}beta1"],
        _BETA: [f"v{major}beta{number + 1}", f"v{major}"],
        _STABLE: [f"v{major + 1}alpha1"],
    }[stage]


def is_at_least_as_stable(version: str, other: str) -> bool:
    """Return whether a version is of the same or a later stage than another one; other names come before alpha."""
    stage, other_stage = ((parse_version(name) or (0, -1, 0))[1] for name in (version, other))
    return stage >= other_stage


def replace_version(name: str, old: str, new: str, *, title: bool = False) -> str:
    """Replace a version in an identifier such as a Go or Java package, in the spelling of the identifier.

    `v1beta1` also occurs as `V1Beta1` and `V1beta1`, and after other letters as in `widgetsv1beta1`. `title` writes
    stages as `Beta` after a capital V if the old version has no stage.
    """
    stages = "" if parse_version(old) is None or re.search("alpha|beta", old) else "(?!alpha|beta)"
    return re.sub(
        rf"{re.escape(old)}{stages}(?![0-9])",
        lambda match: _spell_like(match[0], new, title=title),
        name,
        flags=re.IGNORECASE,
    )


def _spell_like(written: str, name: str, *, title: bool) -> str:
    stage = re.search("alpha|beta", written, re.IGNORECASE)
    is_title = stage[0][0].isupper() if stage else title and written[0] == "V"
    spelled = re.sub("alpha|beta", lambda match: match[0].title() if is_title else match[0], name)
    return spelled.upper() if written.isupper() and stage else written[0] + spelled[1:]


def get_api_group(api_version: str) -> str:
    """Return the API group of an apiVersion, empty for the core group."""
    return api_version.rpartition("/")[0]

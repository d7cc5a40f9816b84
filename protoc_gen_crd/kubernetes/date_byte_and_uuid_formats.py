"""String formats that schemas and CEL expressions share, as API servers validate them.

Source: k8s.io/kube-openapi pkg/validation/strfmt, pkg/internal/third_party/govalidator.
"""

from __future__ import annotations

import re

_DATE = r"(?a)(\d{4})-(\d\d)-(\d\d)\Z"
_TIME = r"([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))\Z"
_BASE64 = "(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})"
_HEX = "[0-9a-f]"


def is_date(string: str) -> bool:
    """Return whether a string is a calendar date, `2006-01-02`."""
    match = re.match(_DATE, string)
    if match is None:
        return False
    year, month, day = (int(part) for part in match.groups())
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = (31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    return 1 <= month <= 12 and 1 <= day <= days[month - 1]


def is_date_time(string: str) -> bool:
    """Return whether a string is a date, a T of either case, a time and a time zone."""
    parts = string.lower().split("t")
    if len(string.encode()) < 4 or len(parts) < 2 or not is_date(parts[0]):
        return False
    match = re.match(_TIME, parts[1])
    return match is not None and match[1] <= "23" and match[2] <= "59" and match[3] <= "59"


def is_byte(string: str) -> bool:
    """Return whether a string is base64 with padding, and not empty."""
    return re.fullmatch(_BASE64, string) is not None


def is_uuid(string: str, version: str = _HEX, variant: str = _HEX) -> bool:
    """Return whether a string is a UUID; dashes are optional."""
    pattern = f"{_HEX}{{8}}-?{_HEX}{{4}}-?{version}{_HEX}{{3}}-?{variant}{_HEX}{{3}}-?{_HEX}{{12}}"
    return re.fullmatch(pattern, string, re.ASCII | re.IGNORECASE) is not None

"""URLs, and the errors of Go 1.26 for invalid ones."""

from __future__ import annotations

import pytest

from protoc_gen_crd.admission.url_checks import Url, UrlError, parse_request_uri, parse_url
from protoc_gen_crd.kubernetes.shared_results import Switches

GO_1_26, GO_1_25 = Switches.from_minor(36), Switches.from_minor(35)


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("https://a/b", Url("https", "a", path="/b")),
        ("HTTPS://u:p@a:1?q#f", Url("https", "a:1", "u:p", "q", "f")),
        ("https://[::1]:443/", Url("https", "[::1]:443", path="/")),
        ("https://é/a%41", Url("https", "é", path="/aA", raw_path="/a%41")),
        ("https:a", Url("https", opaque="a")),
        ("//a", Url(host="a")),
        ("///a", Url(path="///a")),
        ("a/b", Url(path="a/b")),
        ("*", Url(path="*")),
        ("", Url()),
    ],
)
def test_parts(text: str, url: Url) -> None:
    assert parse_url(text, GO_1_26) == url


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("https://u:p%zz@a", 'invalid URL escape "%zz"'),
        ("https://u p@a", "net/url: invalid userinfo"),
        ("https://a#%zz", 'invalid URL escape "%zz"'),
        ("https://a:x", 'invalid port ":x" after host'),
        ("https://[::1", "missing ']' in host"),
        ("https://[zz]", 'invalid host: ParseAddr("zz"): unable to parse IP'),
        ("https://x[::1]", "invalid IP-literal"),
        ("https://[::1]x", 'invalid port "x" after host'),
        ("https://a b", 'invalid character " " in host name'),
        ("https://a/%zz", 'invalid URL escape "%zz"'),
        ("https://a%41/", 'invalid URL escape "%41"'),
        ("https://a/\x01", "net/url: invalid control character in URL"),
        (":a", "missing protocol scheme"),
        ("1:a", "first path segment in URL cannot contain colon"),
    ],
)
def test_faults(text: str, fault: str) -> None:
    with pytest.raises(UrlError) as caught:
        parse_url(text, GO_1_26)
    assert str(caught.value).startswith('parse "')
    assert str(caught.value).endswith(f'": {fault}')


def test_newer_go_requires_a_single_colon_in_hosts_of_http() -> None:
    with pytest.raises(UrlError, match='invalid port ":1:2" after host'):
        parse_url("https://a:1:2", GO_1_26)
    assert parse_url("https://a:1:2", GO_1_25).host == "a:1:2"
    assert parse_url("ftp://a:1:2", GO_1_26).host == "a:1:2"


@pytest.mark.parametrize(("text", "fault"), [("", "empty url"), ("a/b", "invalid URI for request")])
def test_requests_are_absolute(text: str, fault: str) -> None:
    with pytest.raises(UrlError, match=fault):
        parse_request_uri(text, GO_1_26)
    assert parse_request_uri("/a", GO_1_26) == Url(path="/a")

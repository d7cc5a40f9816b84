"""Questions to an authorizer. Rules of CRDs have none to ask, but its methods' names are known to the checker.

Source: k8s.io/apiserver pkg/cel/library/authz.go.
"""

from __future__ import annotations

from protoc_gen_crd.cel.overloads import Library, method
from protoc_gen_crd.cel.types import BOOL, STRING, Type, foreign


def _type(name: str) -> Type:
    return foreign(f"kubernetes.authorization.{name}")


_AUTHORIZER, _PATH, _GROUP = _type("Authorizer"), _type("PathCheck"), _type("GroupCheck")
_RESOURCE, _DECISION = _type("ResourceCheck"), _type("Decision")

LIBRARY = Library(
    "kubernetes.authz",
    (
        method("authorizer_path", "path", _AUTHORIZER, STRING, result=_PATH),
        method("authorizer_group", "group", _AUTHORIZER, STRING, result=_GROUP),
        method("authorizer_serviceaccount", "serviceAccount", _AUTHORIZER, STRING, STRING, result=_AUTHORIZER),
        method("pathcheck_check", "check", _PATH, STRING, result=_DECISION),
        method("groupcheck_resource", "resource", _GROUP, STRING, result=_RESOURCE),
        method("resourcecheck_subresource", "subresource", _RESOURCE, STRING, result=_RESOURCE),
        method("resourcecheck_namespace", "namespace", _RESOURCE, STRING, result=_RESOURCE),
        method("resourcecheck_name", "name", _RESOURCE, STRING, result=_RESOURCE),
        method("resourcecheck_check", "check", _RESOURCE, STRING, result=_DECISION),
        method("decision_errored", "errored", _DECISION, result=BOOL, since=28),
        method("decision_error", "error", _DECISION, result=STRING, since=28),
        method("decision_allowed", "allowed", _DECISION, result=BOOL),
        method("decision_reason", "reason", _DECISION, result=STRING),
    ),
)
SELECTORS = Library(
    "kubernetes.authzSelectors",
    (
        method("authorizer_fieldselector", "fieldSelector", _RESOURCE, STRING, result=_RESOURCE),
        method("authorizer_labelselector", "labelSelector", _RESOURCE, STRING, result=_RESOURCE),
    ),
)

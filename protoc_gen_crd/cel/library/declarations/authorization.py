"""The authorizer library. Rules of CRDs have no authorizer, but the checker resolves the names of its methods.

Source: k8s.io/apiserver pkg/cel/library/authz.go.
"""

from __future__ import annotations

from protoc_gen_crd.cel.checker.overloads import Library, declare_method
from protoc_gen_crd.cel.checker.types import BOOL, STRING, Type, make_undeclared_object
from protoc_gen_crd.cel.version_differences import DECISION_ERRORS


def _make_type(name: str) -> Type:
    return make_undeclared_object(f"kubernetes.authorization.{name}")


_AUTHORIZER, _PATH, _GROUP = _make_type("Authorizer"), _make_type("PathCheck"), _make_type("GroupCheck")
_RESOURCE, _DECISION = _make_type("ResourceCheck"), _make_type("Decision")

LIBRARY = Library(
    "kubernetes.authz",
    (
        declare_method("authorizer_path", "path", _AUTHORIZER, STRING, result=_PATH),
        declare_method("authorizer_group", "group", _AUTHORIZER, STRING, result=_GROUP),
        declare_method("authorizer_serviceaccount", "serviceAccount", _AUTHORIZER, STRING, STRING, result=_AUTHORIZER),
        declare_method("pathcheck_check", "check", _PATH, STRING, result=_DECISION),
        declare_method("groupcheck_resource", "resource", _GROUP, STRING, result=_RESOURCE),
        declare_method("resourcecheck_subresource", "subresource", _RESOURCE, STRING, result=_RESOURCE),
        declare_method("resourcecheck_namespace", "namespace", _RESOURCE, STRING, result=_RESOURCE),
        declare_method("resourcecheck_name", "name", _RESOURCE, STRING, result=_RESOURCE),
        declare_method("resourcecheck_check", "check", _RESOURCE, STRING, result=_DECISION),
        declare_method("decision_errored", "errored", _DECISION, result=BOOL, since=DECISION_ERRORS),
        declare_method("decision_error", "error", _DECISION, result=STRING, since=DECISION_ERRORS),
        declare_method("decision_allowed", "allowed", _DECISION, result=BOOL),
        declare_method("decision_reason", "reason", _DECISION, result=STRING),
    ),
)
SELECTORS = Library(
    "kubernetes.authzSelectors",
    (
        declare_method("authorizer_fieldselector", "fieldSelector", _RESOURCE, STRING, result=_RESOURCE),
        declare_method("authorizer_labelselector", "labelSelector", _RESOURCE, STRING, result=_RESOURCE),
    ),
)

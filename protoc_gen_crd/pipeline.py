"""The passes in order: read this first.

    Request -> ApiSet -> schemas -> Crds -> admission -> files

Each pass reports user errors to `Problems` and never raises for them. Whether files are written is decided at the end.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.emit.output_file import OutputFile
from protoc_gen_crd.findings.finding import Problems, Severity
from protoc_gen_crd.generation.admission_findings import check_admission
from protoc_gen_crd.generation.kubernetes_messages import drop_kubernetes_findings
from protoc_gen_crd.generation.message_schemas import MessageBuilder
from protoc_gen_crd.generation.resource_builder import ResourceBuilder
from protoc_gen_crd.generation.resource_messages import ResourceSource, SourceReader
from protoc_gen_crd.generation.run_context import RunContext
from protoc_gen_crd.generation.unused_markers import check_unused_markers
from protoc_gen_crd.markers.marker_collector import MarkerCollector
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.request import Request
from protoc_gen_crd.schema.schema import iterate_rules
from protoc_gen_crd.settings.plugin_parameters import check_effects
from protoc_gen_crd.settings.settings import Settings

if TYPE_CHECKING:
    from protoc_gen_crd.conversion.plan.plan import Plan
    from protoc_gen_crd.groups.annotated_services import VersionedRequest
    from protoc_gen_crd.groups.group_plan import GroupPlan

# Rules about default mode alone: Istio's generator adds no rules on keys, and reads markers anywhere in a line.
_DEFAULT_MODE_RULES = frozenset(["map-keys", "marker-embedded"])
_RECURSION_LIMIT = 10_000  # schemas may be 400 messages deep, and traversals need several frames per level


def generate_files(
    request: Request,
    settings: Settings,
    problems: Problems,
    check_crds: Callable[[tuple[Crd, ...]], None] | None = None,
) -> tuple[OutputFile, ...]:
    """Return the files of a request. If there is an error among the findings, they must not be written.

    Args:
        request: The compiled .proto files and the targets.
        settings: The options of the run.
        problems: Receives the findings; mistakes of the user never raise an exception.
        check_crds: An additional check of the CRDs by the caller.
    """
    from protoc_gen_crd.emit.crd_files import make_crd_files, make_istio_file  # noqa: PLC0415 - `build_crds` alone does not need it

    check_effects(settings, problems)
    if settings.compat:
        return (make_istio_file(build_istio_crds(request, settings, problems), problems),)
    api, collector = _read_api(request, problems, settings)
    crds, plans = _build_crds(api, collector, settings, problems)
    if check_crds is not None:
        check_crds(crds)
    group_elements = (api, collector) if settings.groups else None
    del api, collector  # most runs do not read them again, and now the files need memory
    return (
        *make_crd_files(_annotate_release(crds, settings), settings, problems),
        *_make_release_guard(crds, settings),
        *_make_policy_files(crds, settings, problems),
        *_make_converter_files(plans, settings, problems),
        *_make_kcp_files(crds, plans, settings, problems),
        *(_make_group_files(request, *group_elements, settings, problems) if group_elements else ()),
    )


def build_crds(request: Request, settings: Settings, problems: Problems) -> tuple[Crd, ...]:
    """Return the CRDs of a request, sorted by name.

    Args:
        request: The compiled .proto files and the targets.
        settings: The options of the run.
        problems: Receives the findings; the CRDs are complete only if none of them is an error.
    """
    return _build_crds(*_read_api(request, problems, settings), settings, problems)[0]


def build_unvalidated_crds(request: Request, settings: Settings, problems: Problems) -> tuple[Crd, ...]:
    """Return the CRDs of a request without the verdicts of API servers on them."""
    return _build_default_crds(
        *_read_api(request, problems, settings), settings, RunContext(problems, settings.channels)
    )


def build_sources_and_crds(
    request: Request, settings: Settings, problems: Problems
) -> tuple[ApiSet, tuple[ResourceSource, ...], tuple[Crd, ...]]:
    """Return the elements of a request, the messages that declare resources, and CRDs without verdicts on them."""
    api, collector = _read_api(request, problems, settings)
    sources = tuple(SourceReader(api, collector, Problems()).read_sources(api.target_messages))
    return api, sources, _build_default_crds(api, collector, settings, RunContext(problems, settings.channels))


def _build_crds(
    api: ApiSet, collector: MarkerCollector, settings: Settings, problems: Problems
) -> tuple[tuple[Crd, ...], tuple[Plan, ...]]:
    """Return the CRDs, and the conversion plans of those with conversions."""
    from protoc_gen_crd.comparison.version_losses import check_version_losses  # noqa: PLC0415 - not used with compat
    from protoc_gen_crd.crd.column_path_checks import check_columns  # noqa: PLC0415

    context = RunContext(problems, settings.channels)
    crds = _build_default_crds(api, collector, settings, context)
    if (collector.foreign.were_read or context.has_key_rules) and _have_foreign_rules(crds):
        from protoc_gen_crd.generation.rejected_foreign_rules import drop_rejected_rules  # noqa: PLC0415 - few have such rules

        crds = drop_rejected_rules(crds, settings.kubernetes, problems)
    crds = _add_webhooks(crds, context, settings)
    check_admission(
        crds,
        settings.kubernetes,
        problems,
        hints=context.list_absence_hints(),
        macro_source_map=context.macro_source_map,
    )
    plans = _build_plans(crds, context, settings)
    converted = {plan.name for plan in plans}
    converted |= {finding.path for finding in context.problems.findings if finding.rule == "conversion-hub"}  # no plan
    check_version_losses([crd for crd in crds if crd.name not in converted], problems)
    check_columns(crds, settings, problems)
    return crds, plans


def _have_foreign_rules(crds: Iterable[Crd]) -> bool:
    """Return whether CRDs have rules that are not those of native markers."""
    return any(rule.option for rule in iterate_rules(version.schema for crd in crds for version in crd.versions))


def _add_webhooks(crds: tuple[Crd, ...], context: RunContext, settings: Settings) -> tuple[Crd, ...]:
    """Return the CRDs, with the webhook of the settings in those with conversions."""
    if not (settings.webhook_service or settings.webhook_url) or not _has_conversions(context, settings):
        return crds
    from protoc_gen_crd.conversion.plan_builder import add_webhook  # noqa: PLC0415 - few declare conversions

    return add_webhook(crds, settings, context.problems)


def _has_conversions(context: RunContext, settings: Settings) -> bool:
    return context.converts or bool(settings.conversion_rules or settings.conversions or settings.hub_versions)


def _build_plans(crds: Sequence[Crd], context: RunContext, settings: Settings) -> tuple[Plan, ...]:
    """Return the checked conversion plans of CRDs. They are complete only if modules are requested."""
    if not _has_conversions(context, settings):
        return ()
    from protoc_gen_crd.conversion.plan_builder import build_plans  # noqa: PLC0415 - few declare conversions

    return build_plans(crds, settings, context.problems, only_checks=not settings.converters)


def build_istio_crds(request: Request, settings: Settings, problems: Problems) -> tuple[Crd, ...]:
    """Return the CRDs of Istio's generator. Findings of default mode are reported as warnings."""
    from protoc_gen_crd.generation.finding_schemas import FindingBuilder  # noqa: PLC0415 - not used in default mode
    from protoc_gen_crd.generation.istio.istio_crds import CrdBuilder  # noqa: PLC0415
    from protoc_gen_crd.generation.istio.unread_markers import report_unread_markers  # noqa: PLC0415

    warnings = Problems()
    api, collector = _read_api(request, warnings, Settings())
    context = RunContext(warnings, settings.channels)
    # For its findings alone, and first, so that its schemas are gone when Istio's are built.
    _build_default_crds(api, collector, settings.replace(include_description=False), context, FindingBuilder)
    builder = CrdBuilder(api, collector, settings, problems, context)
    crds = builder.build_crds()
    check_admission(crds, settings.kubernetes, warnings, builder.survey, rules=False)
    report_unread_markers(api, collector, warnings)
    kept = [finding for finding in warnings.findings if finding.rule not in _DEFAULT_MODE_RULES]
    problems.findings += [finding.replace(severity=Severity.WARNING) for finding in kept]
    return crds


def _make_policy_files(crds: Sequence[Crd], settings: Settings, problems: Problems) -> tuple[OutputFile, ...]:
    """Return the admission policies of a selected release channel, for kinds with fields outside it."""
    if not settings.channel or settings.channel_fields != "policy":
        return ()
    from protoc_gen_crd.channels.admission_policies import build_policies  # noqa: PLC0415 - only on demand
    from protoc_gen_crd.emit.policy_files import make_policy_files  # noqa: PLC0415

    return make_policy_files(build_policies(crds, settings, problems), settings)


def _annotate_release(crds: tuple[Crd, ...], settings: Settings) -> tuple[Crd, ...]:
    """Return the CRDs, with the annotation that the release guard compares if it is requested."""
    if not settings.release_guard or not settings.release:
        return crds
    from protoc_gen_crd.emit.release_guard import annotate_release  # noqa: PLC0415 - only on demand

    return annotate_release(crds, settings.release)


def _make_release_guard(crds: tuple[Crd, ...], settings: Settings) -> tuple[OutputFile, ...]:
    """Return the policy for the CRDs themselves, if it is requested and there is a release."""
    if not settings.release_guard or not settings.release or not crds:
        return ()
    from protoc_gen_crd.emit.release_guard import make_guard_file  # noqa: PLC0415 - only on demand

    return (make_guard_file(crds, settings),)


def _make_converter_files(plans: Sequence[Plan], settings: Settings, problems: Problems) -> tuple[OutputFile, ...]:
    """Return the Python modules of kinds that declare conversions, if they are requested and there is no error."""
    if not settings.converters:
        return ()
    from protoc_gen_crd.emit.converter_package import make_converter_files  # noqa: PLC0415 - only on demand
    from protoc_gen_crd.findings.severity_policy import has_error  # noqa: PLC0415

    if has_error(problems.findings, settings.findings, complete=False):
        return ()  # plans with errors are not compiled
    return make_converter_files(plans, settings)


def _make_kcp_files(
    crds: Sequence[Crd], plans: Sequence[Plan], settings: Settings, problems: Problems
) -> tuple[OutputFile, ...]:
    """Return the resources of kcp, if they are requested. Invalid plans have been reported."""
    if not settings.kcp:
        return ()
    from protoc_gen_crd.conversion.plan_builder import build_all_plans  # noqa: PLC0415 - only on demand
    from protoc_gen_crd.emit.kcp_files import make_kcp_files  # noqa: PLC0415

    return make_kcp_files(crds, build_all_plans(crds, settings, checked=plans), settings, problems)


def _make_group_files(
    request: Request, api: ApiSet, collector: MarkerCollector, settings: Settings, problems: Problems
) -> tuple[OutputFile, ...]:
    """Return the Python packages of gRPC API groups, if there is no error."""
    from protoc_gen_crd.emit.group_packages import make_group_files  # noqa: PLC0415 - only on demand
    from protoc_gen_crd.findings.severity_policy import has_error  # noqa: PLC0415
    from protoc_gen_crd.groups.codegen.version_protos import generate_number_protos, generate_protos  # noqa: PLC0415 - only on demand

    plans, versioned = _plan_groups(request, api, collector, settings, problems)
    if has_error(problems.findings, settings.findings, complete=False):
        return ()  # plans with errors are not generated
    protos = [
        *generate_protos(versioned, plans, settings.groups),
        *generate_number_protos(versioned, plans, settings, problems),
    ]
    return make_group_files(plans, protos, settings, problems)


def build_groups(
    request: Request, settings: Settings, problems: Problems
) -> tuple[Sequence[GroupPlan], VersionedRequest]:
    """Return the plans of the gRPC API groups of a request, and the request with the files of all versions."""
    return _plan_groups(request, *_read_api(request, problems, settings), settings, problems)


def _plan_groups(
    request: Request, api: ApiSet, collector: MarkerCollector, settings: Settings, problems: Problems
) -> tuple[Sequence[GroupPlan], VersionedRequest]:
    from protoc_gen_crd.groups.annotated_services import VersionExpander  # noqa: PLC0415 - only on demand
    from protoc_gen_crd.groups.api_groups import GroupDiscovery  # noqa: PLC0415 - only on demand
    from protoc_gen_crd.groups.group_plan import GroupPlanner  # noqa: PLC0415 - only on demand

    versioned = VersionExpander(api, collector, problems).expand(request)
    own = Problems()
    if versioned.originals:
        request = versioned.request
        overridden = settings.replace(overrides=versioned.copy_overrides(settings.overrides))
        api, collector = _read_api(request, Problems(), overridden)
    groups = GroupDiscovery(api, collector, settings, own, versioned.originals).find_groups()
    plans: Sequence[GroupPlan] = GroupPlanner(request, api, collector, own, versioned.originals).build(groups)
    if versioned.numbers:
        from protoc_gen_crd.groups.microversion_records import add_number_records  # noqa: PLC0415 - only on demand

        plans = add_number_records(plans, settings, own)
    problems.findings += map(versioned.relocate, own.findings)
    return plans, versioned


def report_differences(request: Request, settings: Settings) -> str:
    """Return the changes that default mode would make, for the option `report`; empty without it."""
    if settings.report != "differences":
        return ""
    from protoc_gen_crd.emit.mode_differences import format_differences  # noqa: PLC0415 - only on demand

    ignored = Problems()
    return format_differences(build_istio_crds(request, settings, ignored), build_crds(request, settings, ignored))


def read_sources(request: Request, settings: Settings, problems: Problems) -> tuple[ApiSet, tuple[ResourceSource, ...]]:
    """Return the elements of a request, and the messages that declare resources."""
    api, collector = _read_api(request, problems, settings)
    messages = api.target_messages
    return api, tuple(SourceReader(api, collector, problems).read_sources(messages))


def _read_api(request: Request, problems: Problems, settings: Settings) -> tuple[ApiSet, MarkerCollector]:
    sys.setrecursionlimit(max(_RECURSION_LIMIT, sys.getrecursionlimit()))
    if not settings.overrides:
        api = ApiSet(request, problems)
        _check_ignored_options(settings, api, problems)
        return api, MarkerCollector(api, problems, settings)
    from protoc_gen_crd.markers.overrides import Overrides, read_json_names  # noqa: PLC0415 - few settings have any

    api = ApiSet(request, problems, read_json_names(settings.overrides))
    _check_ignored_options(settings, api, problems)
    return api, MarkerCollector(api, problems, settings, overrides=Overrides(settings.overrides, api, problems))


def _check_ignored_options(settings: Settings, api: ApiSet, problems: Problems) -> None:
    ignored = settings.ignored_options
    if ignored:
        from protoc_gen_crd.markers.vocabularies.ignored_options import check_names  # noqa: PLC0415 - few settings have any

        check_names(ignored, api, settings.places.get("ignored_options"), problems)


def _list_group_elements(api: ApiSet, settings: Settings) -> Collection[str]:
    """Return the services, RPCs, and types of gRPC API groups, if their packages are generated."""
    if not settings.groups:
        return ()
    from protoc_gen_crd.groups.service_types import list_service_elements  # noqa: PLC0415 - only on demand

    return list_service_elements(api)


def _build_default_crds(
    api: ApiSet,
    collector: MarkerCollector,
    settings: Settings,
    context: RunContext,
    make_messages: type[MessageBuilder] = MessageBuilder,
) -> tuple[Crd, ...]:
    messages = make_messages(api, collector, settings, context)
    crds = ResourceBuilder(api, collector, messages, settings, context.problems).build_crds()
    group_elements = _list_group_elements(api, settings)
    if collector.overrides:
        from protoc_gen_crd.generation.unused_overrides import (  # noqa: PLC0415 - few settings have any
            check_replaced_overrides,
            check_unused_overrides,
        )

        check_unused_overrides(
            collector.overrides, api, collector, messages, settings, context.problems, group_elements
        )
        check_replaced_overrides(collector.overrides, crds, context.problems)
    check_unused_markers(api, collector, messages, context.problems, group_elements)
    if context.group_options:
        from protoc_gen_crd.groups.service_types import check_group_options  # noqa: PLC0415 - few APIs have groups

        check_group_options(context.group_options, api, context.problems)
    if collector.foreign.outputs:
        from protoc_gen_crd.generation.output_only_fields import check_output_only_fields  # noqa: PLC0415 - few have any

        check_output_only_fields(crds, collector.foreign.outputs, context.problems)
    if collector.foreign.fixed:
        from protoc_gen_crd.markers.vocabularies.immutable_fields import drop_uncorrelatable_rules  # noqa: PLC0415 - likewise

        crds = drop_uncorrelatable_rules(crds, collector.foreign.fixed, context.problems)
    context.problems.findings = drop_kubernetes_findings(context.problems.findings, api)
    return crds

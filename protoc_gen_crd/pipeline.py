"""The passes in order: read this first.

    Request -> ApiSet -> schemas -> Crds -> admission -> files

A pass takes the sink of findings and never raises for a user's mistake; whether there is output is decided at the end.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from protoc_gen_crd.base.diagnostics import Problems, Severity
from protoc_gen_crd.build.columns import check_columns
from protoc_gen_crd.build.context import RunContext
from protoc_gen_crd.build.kubernetes import forgiven
from protoc_gen_crd.build.leftovers import check_leftovers
from protoc_gen_crd.build.losses import check_losses
from protoc_gen_crd.build.messages import MessageBuilder
from protoc_gen_crd.build.resources import ResourceBuilder
from protoc_gen_crd.build.verdicts import check_admission
from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.emit import OutputFile
from protoc_gen_crd.markers.collect import Collector
from protoc_gen_crd.proto.load import ApiSet
from protoc_gen_crd.proto.request import Request
from protoc_gen_crd.settings import Settings
from protoc_gen_crd.settings_given import check_effects

_NOT_ISTIO = frozenset(["map-keys"])  # of what default mode adds by itself: Istio's generator makes no rules on keys
_RECURSION = 10_000  # walks over schemas 400 messages deep need a few frames a level


def run(
    request: Request, settings: Settings, problems: Problems, check: Callable[[tuple[Crd, ...]], None] | None = None
) -> tuple[OutputFile, ...]:
    """The files of a request. With an error among the findings they are of no use and must not be written.

    `check` is what the caller holds the CRDs to besides.
    """
    from protoc_gen_crd.emit.crds import crd_files, istio_file  # noqa: PLC0415 - `crds` alone prints nothing

    check_effects(settings, problems)
    if settings.compat:
        return (istio_file(istio_crds(request, settings, problems), problems),)
    made = crds(request, settings, problems)
    if check is not None:
        check(made)
    converters = (*_converters(made, settings), *_of_kcp(made, settings, problems))
    return (*crd_files(made, settings, problems), *_policies(made, settings, problems), *converters)


def crds(request: Request, settings: Settings, problems: Problems) -> tuple[Crd, ...]:
    """The Crds of a request, sorted by name."""
    api, collector = _read(request, problems, numbered=settings.enum_as_int_or_string)
    context = RunContext(problems, settings.channels)
    made = _served(_default(api, collector, settings, context), context, settings)
    check_admission(made, settings.kubernetes, problems, hints=context.absences(), rewritten=context.rewritten)
    check_losses(_unconverted(made, context, settings), problems)
    check_columns(made, settings, problems)
    return made


def _served(made: tuple[Crd, ...], context: RunContext, settings: Settings) -> tuple[Crd, ...]:
    """The Crds, those that convert with the webhook that does it, where the settings name one."""
    if not (settings.webhook_service or settings.webhook_url) or not _converting(context, settings):
        return made
    from protoc_gen_crd.conversion.planning import with_webhook  # noqa: PLC0415 - few declare conversions

    return with_webhook(made, settings, context.problems)


def _converting(context: RunContext, settings: Settings) -> bool:
    return context.converts or bool(settings.conversion_rules or settings.conversions or settings.hub_versions)


def _unconverted(made: Sequence[Crd], context: RunContext, settings: Settings) -> Sequence[Crd]:
    """The Crds of whose conversion nothing is said; what is said of the others is checked."""
    if not _converting(context, settings):
        return made
    from protoc_gen_crd.conversion.planning import plans  # noqa: PLC0415 - few declare conversions

    converted = {plan.name for plan in plans(made, settings, context.problems)}
    return [crd for crd in made if crd.name not in converted]


def istio_crds(request: Request, settings: Settings, problems: Problems) -> tuple[Crd, ...]:
    """The Crds that Istio's generator makes of a request. What default mode finds is a warning here."""
    from protoc_gen_crd.build.istio.crds import CrdBuilder  # noqa: PLC0415 - not on the way of default mode
    from protoc_gen_crd.build.istio.idle import report_idle  # noqa: PLC0415

    warnings = Problems()
    api, collector = _read(request, warnings)
    context = RunContext(warnings, settings.channels)
    builder = CrdBuilder(api, collector, settings, problems, context)
    made = builder.crds()
    _default(api, collector, settings.replace(include_description=False), context)
    check_admission(made, settings.kubernetes, warnings, builder.survey, rules=False)
    report_idle(api, collector, warnings)
    kept = [finding for finding in warnings.findings if finding.rule not in _NOT_ISTIO]
    problems.findings += [finding.replace(severity=Severity.WARNING) for finding in kept]
    return made


def _policies(made: Sequence[Crd], settings: Settings, problems: Problems) -> tuple[OutputFile, ...]:
    """The files that keep an API to a release channel, where one is asked for and fields outside it are there."""
    if not settings.channel or settings.channel_fields != "guarded":
        return ()
    from protoc_gen_crd.channels.policies import policies  # noqa: PLC0415 - only on demand
    from protoc_gen_crd.emit.policies import policy_files  # noqa: PLC0415

    return policy_files(policies(made, settings, problems), settings)


def _converters(made: Sequence[Crd], settings: Settings) -> tuple[OutputFile, ...]:
    """The Python modules of kinds that declare conversions, where they are asked for."""
    if not settings.converters:
        return ()
    from protoc_gen_crd.conversion.planning import plans  # noqa: PLC0415 - only on demand
    from protoc_gen_crd.emit.converters import converter_files  # noqa: PLC0415

    return converter_files(plans(made, settings, Problems()), settings)


def _of_kcp(made: Sequence[Crd], settings: Settings, problems: Problems) -> tuple[OutputFile, ...]:
    """kcp's resources, where they are asked for; plans that are not sound have been told of, or are none."""
    if not settings.kcp:
        return ()
    from protoc_gen_crd.conversion.planning import every_plan  # noqa: PLC0415 - only on demand
    from protoc_gen_crd.emit.kcp import kcp_files  # noqa: PLC0415

    return kcp_files(made, every_plan(made, settings), settings, problems)


def report(request: Request, settings: Settings) -> str:
    """What default mode would change, for the option `report`; empty without it."""
    if settings.report != "differences":
        return ""
    from protoc_gen_crd.emit.differences import differences  # noqa: PLC0415 - only on demand

    ignored = Problems()
    return differences(istio_crds(request, settings, ignored), crds(request, settings, ignored))


def _read(request: Request, problems: Problems, *, numbered: bool = False) -> tuple[ApiSet, Collector]:
    sys.setrecursionlimit(max(_RECURSION, sys.getrecursionlimit()))
    api = ApiSet(request, problems)
    return api, Collector(api, problems, numbered=numbered)


def _default(api: ApiSet, collector: Collector, settings: Settings, context: RunContext) -> tuple[Crd, ...]:
    messages = MessageBuilder(api, collector, settings, context)
    made = ResourceBuilder(api, collector, messages, settings, context.problems).crds()
    check_leftovers(api, collector, messages, context.problems)
    if collector.outputs:
        from protoc_gen_crd.build.outputs import check_outputs  # noqa: PLC0415 - few have any

        check_outputs(made, collector.outputs, context.problems)
    if collector.fixed:
        from protoc_gen_crd.build.followed import without_unfollowed  # noqa: PLC0415 - likewise

        made = without_unfollowed(made, collector.fixed, context.problems)
    context.problems.findings = forgiven(context.problems.findings, api)
    return made

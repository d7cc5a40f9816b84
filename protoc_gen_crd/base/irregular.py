"""Kinds whose plural the fixed rules get wrong, so that a person has to give it. Knows words, no resources.

A table rather than a library: what is generated must not change with an upgrade. A test compares it with one.
"""

from __future__ import annotations

import re

_WORD = re.compile(r"[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z0-9]+")
_SINGULARS = frozenset(["lens"])

# word:plural, without one for words whose plural is the same.
_TABLE = """
    agendum:agenda aircraft: alga:algae alumna:alumnae alumnus:alumni bacillus:bacilli bacterium:bacteria baggage:
    buffalo:buffaloes calf:calves cargo:cargoes chassis: child:children codex:codices colloquy:colloquies
    combo:comboes corps: craft: criterion:criteria cutlery: datum:data debris: deer: die:dice domino:dominoes
    dwarf:dwarves echo:echoes elf:elves equipment: erratum:errata extremum:extrema fish: foot:feet furniture:
    genus:genera goose:geese graffiti: half:halves halo:haloes headquarters: helix:helices hero:heroes
    information: innings: jewelry: knife:knives leaf:leaves life:lives livestock: loaf:loaves locus:loci
    louse:lice luggage: machinery: mango:mangoes meniscus:menisci money:monies moose: mosquito:mosquitoes
    motto:mottoes mouse:mice news: nexus: nucleus:nuclei offspring: organon:organa ovum:ova ox:oxen person:people
    persona:personae phenomenon:phenomena potato:potatoes quiz:quizzes rabies: radix:radices salmon: scarf:scarves
    self:selves series: sheep: shelf:shelves soliloquy:soliloquies spacecraft: species: stimulus:stimuli
    stomach:stomachs stratum:strata thief:thieves tomato:tomatoes tooth:teeth tornado:tornadoes torpedo:torpedoes
    trout: tuna: tuxedo:tuxedoes vertebra:vertebrae veto:vetoes vita:vitae volcano:volcanoes watercraft:
    wharf:wharves wife:wives wolf:wolves
"""
_IRREGULAR: dict[str, str] = {
    word: plural or word for word, _, plural in (pair.partition(":") for pair in _TABLE.split())
}
_FAMILIES = (("man", "men"), ("person", "people"), ("sis", "ses"), ("xis", "xes"))
_NO_FAMILY = frozenset(["german", "human", "norman", "ottoman", "roman", "shaman", "talisman"])


def irregular(kind: str) -> bool:
    """Whether English forms another plural of a kind's last word than `kubenames.plural`, or takes it for one."""
    return english(kind) is not None or _is_plural(_last(kind))


def english(kind: str) -> str | None:
    """The English plural of a kind in lower case, where it is irregular and known."""
    last = _last(kind)
    before = kind.lower().removesuffix(last)
    if last in _IRREGULAR:
        return before + _IRREGULAR[last]
    for singular, plural in _FAMILIES:
        if last.endswith(singular) and last not in _NO_FAMILY:
            return before + last.removesuffix(singular) + plural
    return None


def _last(kind: str) -> str:
    words = _WORD.findall(kind)
    return words[-1].lower() if words else ""


def _is_plural(word: str) -> bool:
    """Settings, dns, series: what ends so has no further -es."""
    return word.endswith("s") and len(word) > 1 and word[-2] not in "aious" and word not in _SINGULARS

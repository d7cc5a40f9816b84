"""Kinds with irregular plurals, which must be specified explicitly.

A table is used instead of a library, since generated files must not change with an upgrade. A test compares the table
with a library.
"""

from __future__ import annotations

import re

_WORD = re.compile(r"[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z0-9]+")

# word:plural, without one for words whose plural is the same.
_TABLE = """
    advice: agendum:agenda aircraft: alga:algae alumna:alumnae alumnus:alumni alveolus:alveoli aphelion:aphelia
    bacillus:bacilli bacterium:bacteria baggage: booklouse:booklice bream: bronchus:bronchi buffalo:buffaloes
    butter: calf:calves candelabrum:candelabra cargo:cargoes carp: cash: cattle: chassis: cod: codex:codices
    colloquy:colloquies combo:comboes corps: craft: criterion:criteria cutlery: czech:czechs datum:data debris:
    deer: desideratum:desiderata die:dice domino:dominoes dwarf:dwarves echo:echoes elf:elves equipment:
    erratum:errata eunuch:eunuchs evidence: extremum:extrema feedback: fish: flounder: furniture: genus:genera
    goose:geese graffiti: graffito:graffiti halo:haloes hardware: headquarters: helix:helices hero:heroes hertz:
    homework: hyperbaton:hyperbata information: innings: jewelry: knowledge: livestock: loaf:loaves locus:loci
    louse:lice luggage: mach:machs machinery: mackerel: mango:mangoes meniscus:menisci money:monies moose:
    mosquito:mosquitoes motto:mottoes news: nexus: noumenon:noumena nucleus:nuclei numen:numina offspring:
    organon:organa ovum:ova ox:oxen pajamas: pence: perihelion:perihelia person:people persona:personae
    phenomenon:phenomena police: potato:potatoes prolegomenon:prolegomena pyjamas: quid: quiz:quizzes rabies:
    radix:radices salmon: sarcophagus:sarcophagi scarf:scarves series: sheaf:sheaves sheep: silex:silices software:
    soliloquy:soliloquies spacecraft: species: stimulus:stimuli stomach:stomachs stratum:strata testis:testes
    thief:thieves tomato:tomatoes tornado:tornadoes torpedo:torpedoes traffic: trilby:trilbys triptych:triptychs
    trout: tuna: tuxedo:tuxedoes vertebra:vertebrae veto:vetoes vita:vitae volcano:volcanoes watercraft: weather:
    wharf:wharves woodlouse:woodlice
"""
_IRREGULAR: dict[str, str] = {
    word: plural or word for word, _, plural in (pair.partition(":") for pair in _TABLE.split())
}
# Endings and their plurals; in those with -ch, it is pronounced as -k.
_FAMILIES = (
    ("child", "children"), ("foot", "feet"), ("half", "halves"), ("knife", "knives"), ("leaf", "leaves"),
    ("life", "lives"), ("man", "men"), ("mouse", "mice"), ("person", "people"), ("self", "selves"),
    ("shelf", "shelves"), ("sis", "ses"), ("tooth", "teeth"), ("wife", "wives"), ("wolf", "wolves"), ("xis", "xes"),
    ("erarch", "erarchs"), ("garch", "garchs"), ("iarch", "iarchs"), ("loch", "lochs"), ("narch", "narchs"),
    ("poch", "pochs"), ("tech", "techs"), ("data", "data"), ("information", "information"), ("media", "media"),
)  # fmt: skip
_NO_FAMILY = frozenset(["german", "human", "norman", "ottoman", "roman", "shaman", "talisman"])
_PLURALS = frozenset([plural for word, plural in _IRREGULAR.items() if plural not in (word, "agenda")])
_SINGULAR = """
    aegis alias asbestos atlas bias cannabis canvas chaos cosmos dais epidermis ethos gas glottis ibis iris lens mantis
    marquis metropolis pathos pelvis rhinoceros trellis
"""
_PLAIN_O = """
    albino alto auto avocado bingo bongo casino cello commando credo ditto demo dynamo euro fiasco ghetto gringo hippo
    inferno info jumbo kilo libido limbo lingo logo macro manifesto memo metro micro mono oregano photo piano polo
    poncho pro quarto repo rhino silo solo soprano stucco taco techno tempo tobacco torso trio typo weirdo zero
"""
_SINGULARS, _OS = frozenset(_SINGULAR.split()), tuple(_PLAIN_O.split())


def is_irregular(kind: str) -> bool:
    """Return whether the plural of a kind's last word may differ from `plurals.make_plural`.

    Unknown words in -o and -z are irregular: some double the z, some have -es.
    """
    last = _get_last_word(kind)
    return find_english_plural(kind) is not None or _is_plural(last) or _is_doubtful(last)


def find_english_plural(kind: str) -> str | None:
    """Return the irregular plural of a kind in lower case, None if it is regular or unknown."""
    last = _get_last_word(kind)
    prefix = kind.lower().removesuffix(last)
    if last in _IRREGULAR:
        return prefix + _IRREGULAR[last]
    for singular, plural in _FAMILIES:
        if last.endswith(singular) and last not in _NO_FAMILY:
            return prefix + last.removesuffix(singular) + plural
    return None


def _get_last_word(kind: str) -> str:
    words = _WORD.findall(kind)
    return words[-1].lower() if words else ""


def _is_plural(word: str) -> bool:
    """Return whether a word is a plural already: settings, dns, schemas, people."""
    ends = word.endswith("s") and len(word) > 1 and word[-2] not in "su"
    return word in _PLURALS or (ends and word not in _SINGULARS)


def _is_doubtful(word: str) -> bool:
    before = word[-2:-1]
    if word.endswith("z"):
        return before not in ("", "t", "z")
    return word.endswith("o") and before not in tuple("aeiou") and not word.endswith(_OS)

"""Names of character sets in Go: Perl's, POSIX's and Unicode's. The characters of Unicode's are in `unicode_tables`.

The names that Go accepts after `\\p` depend on its minor version, here `go`. 19 and 20 have Unicode 13, 21 to 26 have
Unicode 15 with more scripts. From 25 on, Go ignores case, spaces, hyphens and underscores, and accepts the long names
of categories, `Cn`, `LC`, `ASCII` and `Assigned`. But 25 and 26 do not find scripts whose names contain an underscore,
nor `SignWriting`. From 25 on, `\\pC` contains unassigned characters.
"""

from __future__ import annotations

# Bounds of ranges, in pairs; the key is how the set is written when it is not negated.
ASCII_SETS = {
    "\\d": "09",
    "\\s": "\t\n\f\r  ",
    "\\w": "09AZ__az",
    "[:alnum:]": "09AZaz",
    "[:alpha:]": "AZaz",
    "[:ascii:]": "\x00\x7f",
    "[:blank:]": "\t\t  ",
    "[:cntrl:]": "\x00\x1f\x7f\x7f",
    "[:digit:]": "09",
    "[:graph:]": "!~",
    "[:lower:]": "az",
    "[:print:]": " ~",
    "[:punct:]": "!/:@[`{~",
    "[:space:]": "\t\r  ",
    "[:upper:]": "AZ",
    "[:word:]": "09AZ__az",
    "[:xdigit:]": "09AFaf",
}
_CATEGORIES = """
C Cc Cf Co Cs L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs
"""
_SCRIPTS_13 = """
Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak Bengali Bhaiksuki Bopomofo
Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham Cherokee Chorasmian Common
Coptic Cuneiform Cypriot Cyrillic Deseret Devanagari Dives_Akuru Dogra Duployan Egyptian_Hieroglyphs Elbasan Elymaic
Ethiopic Georgian Glagolitic Gothic Grantha Greek Gujarati Gunjala_Gondi Gurmukhi Han Hangul Hanifi_Rohingya Hanunoo
Hatran Hebrew Hiragana Imperial_Aramaic Inherited Inscriptional_Pahlavi Inscriptional_Parthian Javanese Kaithi Kannada
Katakana Kayah_Li Kharoshthi Khitan_Small_Script Khmer Khojki Khudawadi Lao Latin Lepcha Limbu Linear_A Linear_B Lisu
Lycian Lydian Mahajani Makasar Malayalam Mandaic Manichaean Marchen Masaram_Gondi Medefaidrin Meetei_Mayek
Mende_Kikakui Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi Mongolian Mro Multani Myanmar Nabataean Nandinagari
New_Tai_Lue Newa Nko Nushu Nyiakeng_Puachue_Hmong Ogham Ol_Chiki Old_Hungarian Old_Italic Old_North_Arabian Old_Permic
Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic Oriya Osage Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa
Phoenician Psalter_Pahlavi Rejang Runic Samaritan Saurashtra Sharada Shavian Siddham SignWriting Sinhala Sogdian
Sora_Sompeng Soyombo Sundanese Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Takri Tamil Tangut Telugu
Thaana Thai Tibetan Tifinagh Tirhuta Ugaritic Vai Wancho Warang_Citi Yezidi Yi Zanabazar_Square
"""
_SCRIPTS_15 = "Cypro_Minoan Kawi Nag_Mundari Old_Uyghur Tangsa Toto Vithkuqi"
_LOOSE_NAMES = """
Any=Any Ascii=[:ascii:] Assigned=Assigned Casedletter=LC Closepunctuation=Pe Cn=Cn Cntrl=Cc Combiningmark=M
Connectorpunctuation=Pc Control=Cc Currencysymbol=Sc Dashpunctuation=Pd Decimalnumber=Nd Digit=Nd Enclosingmark=Me
Finalpunctuation=Pf Format=Cf Initialpunctuation=Pi Lc=LC Letter=L Letternumber=Nl Lineseparator=Zl Lowercaseletter=Ll
Mark=M Mathsymbol=Sm Modifierletter=Lm Modifiersymbol=Sk Nonspacingmark=Mn Number=N Openpunctuation=Ps Other=C
Otherletter=Lo Othernumber=No Otherpunctuation=Po Othersymbol=So Paragraphseparator=Zp Privateuse=Co Punct=P
Punctuation=P Separator=Z Spaceseparator=Zs Spacingmark=Mc Surrogate=Cs Symbol=S Titlecaseletter=Lt Unassigned=Cn
Uppercaseletter=Lu
"""

CATEGORIES = frozenset(_CATEGORIES.split())
NEWER_SCRIPTS = frozenset(_SCRIPTS_15.split())
SCRIPTS = NEWER_SCRIPTS.union(_SCRIPTS_13.split())
# Names that exist from 25 on, as `_normalize_name` returns them.
LOOSE_NAMES = dict(entry.split("=") for entry in _LOOSE_NAMES.split())


def find_unicode_set(name: str, go: int) -> str | None:
    """Return the name in `character_classes` of the set `\\p{name}`; None if Go does not have it."""
    if go >= 25:
        normalized = _normalize_name(name)
        return normalized if normalized in CATEGORIES or normalized in SCRIPTS else LOOSE_NAMES.get(normalized)
    if name == "C":
        return "C without Cn"
    exists = name == "Any" or name in CATEGORIES or (name in SCRIPTS and (go > 20 or name not in NEWER_SCRIPTS))
    return name if exists else None


def _normalize_name(name: str) -> str:
    bare = name.replace("_", "").replace("-", "").replace(" ", "")
    return bare.capitalize() if bare.isascii() else ""

from __future__ import annotations

import random
import re

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto

from protoc_gen_crd.markers import comment_parser
from protoc_gen_crd.markers.comment_parser import read_comment
from protoc_gen_crd.proto.source_locations import ElementPlace, SourceMap

PLACE = ElementPlace(SourceMap(FileDescriptorProto(name="a.proto")), (4, 0))


@pytest.mark.parametrize(
    ("text", "description"),
    [
        (" One line.\n", "One line."),
        (" A list:\n - a\n   - b\n", "A list:\n- a\n  - b"),
        ("     code first\n then words\n", "code first\nthen words"),
        # A block without stars: protoc takes the indentation off all lines but the first.
        (" A block.\nSecond.\n", "A block.\nSecond."),
        # /** */, of one line and of several, and with more stars
        ("* One line. ", "One line."),
        ("* First.\n second\n", "First.\nsecond"),
        ("*\n First.\n\n - a\n * b\n", "First.\n\n- a\n* b"),
        ("**\n** First.\n*", "First."),
        # ///, //! and boxes
        ("/ First.\n/\n/ second\n", "First.\n\nsecond"),
        ("! First.\n! second\n", "First.\nsecond"),
        ("*****\n Boxed.\n*****\n", "Boxed."),
        ("*****\n*****\n", ""),
        # Signs that belong to the prose
        ("*bold* text\n", "*bold* text"),
        ("/etc/hosts\n", "/etc/hosts"),
        (" * a\n * b\n", "* a\n* b"),
        # HTML comments, and code with an HTML comment
        (" Seen. <!-- not seen -->\n", "Seen."),
        (" Write `<!-- a -->` there. <!-- b ` c -->\n And `d`.\n", "Write `<!-- a -->` there.\nAnd `d`."),
        (" As in ``a`<!-- b -->``.<!-- c -->\n", "As in ``a`<!-- b -->``."),
        (" So:\n ```html\n <!-- a -->\n ```\n <!-- b -->\n End.\n", "So:\n```html\n<!-- a -->\n```\nEnd."),
        (" A lone ` <!-- a -->\n", "A lone `"),
        ("", ""),
    ],
)
def test_description_is_the_visible_prose(text: str, description: str) -> None:
    assert read_comment(text, PLACE).description == description


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        (" +nullable\n", 0, 1),
        ("* +nullable ", 0, 2),
        ("/ A text.\n/ +nullable\n", 1, 2),
        ("*\n A text.\n +nullable\n", 2, 1),
    ],
)
def test_markers_in_every_kind_of_comment(text: str, line: int, column: int) -> None:
    (marker,) = read_comment(text, PLACE).markers
    assert (marker.text, marker.at.line, marker.at.column) == ("+nullable", line, column)


# The original pattern, which takes quadratic time: it tries its lazy prefix at every plus.
QUADRATIC = re.compile(r"""([^0-9A-Za-z\\"'`()\[\]{}]*?)\+([^0-9A-Za-z\\"'`()\[\]{}]*)([A-Za-z].*)""")


def test_marker_lines_are_those_of_the_quadratic_pattern() -> None:
    linear = re.compile(comment_parser._LINE)
    generator = random.Random(1)  # noqa: S311 - a fixed seed
    for _ in range(20_000):
        line = "".join(generator.choices('++ a1:=*/"(', k=generator.randrange(10)))
        ours, theirs = linear.match(line), QUADRATIC.match(line)
        assert (ours and ours.groups()) == (theirs and theirs.groups()), line


@pytest.mark.parametrize(
    ("text", "marker"),
    [
        (" The size. +optional\n", "+optional"),
        (" The size. +optional\n\n More.\n", "+optional"),
        (" The size (in GiB)\t+kubebuilder:validation:Maximum=4  \n", "+kubebuilder:validation:Maximum=4"),
        (" The size +kubebuilder:validation:Maximum=4\n", "+kubebuilder:validation:Maximum=4"),
        (" The size +listType=set\n", "+listType=set"),
        (" It is `a`. +kubebuilder:validation:Enum=a;b\n", "+kubebuilder:validation:Enum=a;b"),
        (" Why? +optional +nullable\n", "+optional +nullable"),
        (" A. +k8s:maxItems=3\n", "+k8s:maxItems=3"),
        (" A. +protoc-gen-crd:max_items=3\n", "+protoc-gen-crd:max_items=3"),
        # Sentences about markers
        (" The size +optional\n", ""),
        (" Fields with +kubebuilder:validation:Optional\n", ""),
        (" (e.g. +kubebuilder:validation:Maximum=4\n", ""),
        (" The size. +optional fields are not required\n", ""),
        (" The size. +kubebuilder:validation:Maximum=4.\n", ""),
        (" The size. +kubebuilder:validation:Maximum=4\n and more\n", ""),
        (' He wrote "The size. +optional\n', ""),
        (" It is `x. +optional\n", ""),
        (" The marker: +optional\n", ""),
        (" The size. +1\n", ""),
        (" The size. +infinity\n", ""),
        (" The size. +k8s:deepcopy-gen=true\n", ""),
        (" The size. +enum\n", ""),
        (" a. +x. +optional\n", ""),
    ],
)
def test_a_marker_behind_text_is_suspicious(text: str, marker: str) -> None:
    lines = read_comment(text, PLACE).markers
    assert [line.text for line in lines if line.is_embedded] == ([marker] if marker else [])
    assert all(line.is_suspicious for line in lines)

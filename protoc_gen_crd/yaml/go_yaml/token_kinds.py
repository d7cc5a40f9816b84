"""The kinds of tokens, from `scanner` to `event_parser`."""

from __future__ import annotations

from typing import TypeAlias

Token: TypeAlias = tuple[str, int, int, str, str]  # kind, mark, end mark, value, detail

STREAM_END, DOCUMENT_START, DOCUMENT_END = "", "---", "..."
VERSION, TAG_PREFIX = "%YAML", "%TAG"
BLOCK_SEQUENCE, BLOCK_MAPPING, BLOCK_END, BLOCK_ENTRY, KEY, VALUE = "<-", "<?", ">", "-", "?", ":"
FLOW_SEQUENCE, FLOW_SEQUENCE_END, FLOW_MAPPING, FLOW_MAPPING_END, FLOW_ENTRY = "[", "]", "{", "}", ","
ALIAS, ANCHOR, TAG, PLAIN, QUOTED = "*", "&", "!", "plain", "quoted"

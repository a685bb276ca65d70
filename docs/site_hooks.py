"""Prepare our pages for mkdocs: they carry marks for cog and for docs/sessions.py."""

import re
from typing import Any

_FENCE = re.compile(r"^( *`{3,})(\S+) +(?:(rounded)|file=(\S+))$", re.MULTILINE)
_COG = re.compile(r"^<!-- \[\[\[(?:.*?)\]\]\] -->\n", re.MULTILINE | re.DOTALL)
_LEXERS = {"schema": "text"}


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Remove the code of generated parts, and make the name of a file the title of its block."""
    return _FENCE.sub(_plain_fence, _COG.sub("", markdown))


def _plain_fence(match: re.Match[str]) -> str:
    fence, language, _, name = match.groups()
    opening = f"{fence}{_LEXERS.get(language, language)}"
    return f'{opening} title="{name}"' if name else opening

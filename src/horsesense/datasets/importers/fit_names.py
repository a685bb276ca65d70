"""Names of published files made fit for ids and tags, which are single words of few characters."""

from __future__ import annotations

import re

_NOT_IN_ID = re.compile(r"[^A-Za-z0-9._-]+")
_NOT_IN_TAG = re.compile(r"[^\w./:+-]+")
_BEFORE_TAG = re.compile(r"^[\W_]+")


def fit_id(name: str) -> str:
    """The name with a hyphen for what an id cannot hold; empty if nothing is left.

    >>> fit_id("clip_7"), fit_id("(lorries & bridges)"), fit_id("?")
    ('clip_7', 'lorries-bridges-', '')
    """
    return _NOT_IN_ID.sub("-", name).lstrip("._-")


def fit_tag(name: str) -> str:
    """The name with an underscore for what a tag cannot hold; empty if nothing is left.

    >>> fit_tag("syntax/semantics"), fit_tag("_night owls"), fit_tag("!")
    ('syntax/semantics', 'night_owls', '')
    """
    return _NOT_IN_TAG.sub("_", _BEFORE_TAG.sub("", name))

"""Say whether the words beside an option or a sentence deny it, or suppose it only.

All words are in lower case, without articles and punctuation, and with `not` as a word of its own.
"""

from __future__ import annotations

import re

_WRONG = (
    "(?:absurd|excluded|false|illogical|implausible|impossible|incorrect|invalid|nonsense"
    "|nonsensical|ruled out|unlikely|untrue|wrong)"
)
_RIGHT = "(?:answer|best|correct|it|one|option|possible|right|true)"
_NEGATED = re.compile(
    r"\b(?:not|neither|nor|than|never|except(?: for)?|excluding|instead of|apart from|rule out"
    r"|(?:all|any|anything|everything) but"
    r"|(?:not|cannot|never) (?:be|call|choose|pick|say|select|use))$"
)
_CALLED_WRONG = re.compile(
    rf"\b(?:{_WRONG}(?: that| to say(?: that)?)?|not"
    r"|(?:not|no|cannot|never)(?: \w+){0,2} that|(?:if|whether)(?: that)?)$"
)
_SUPPOSED = re.compile(r"\b(?:if|whether|unless) (?!(?:i|we|you)\b)(?:\w+ ){0,4}$")
_REJECTED = re.compile(
    r"(?:(?:it|that|this|which) )?(?:"
    r"(?:is|are|was|were|seems|sounds|(?:can|could|may|might|must|would) be)"
    rf"(?: (?:also|clearly|just|obviously|quite|simply|then))*(?: {_WRONG}| not {_RIGHT})\b"
    rf"|(?:cannot|(?:could|may|might|must|would) not) be {_RIGHT}\b"
    r"|makes? no sense\b|(?:do|does|did|would) not make (?:any )?sense\b)"
)
# What the sentence of the problem may say of an option as well.
_UNCLEAR = re.compile(
    r"(?:cannot|(?:are|can|could|did|do|does|had|has|have|is|may|might|must|should|was|were|will"
    r"|would) not)\b"
)
# What the writer cannot do, or what cannot be done.
_INABILITY = re.compile(
    r"(?:be )?(?:answer|assist|choose|decide|determine|help|judge|know|say|tell)(?:ed|d|n)?\b"
)


def is_negated(before: str) -> bool:
    """Return whether words negate what follows.

    >>> is_negated("it is not"), is_negated("anything but"), is_negated("not that but")
    (True, True, False)
    """
    return _NEGATED.search(before) is not None


def is_called_wrong(before: str) -> bool:
    """Return whether words call the sentence that follows wrong, or doubt it.

    >>> is_called_wrong("it is wrong that"), is_called_wrong("it is right that")
    (True, False)
    """
    return _CALLED_WRONG.search(before) is not None


def is_supposed(before: str) -> bool:
    """Return whether words suppose what follows only.

    >>> is_supposed("if answer is"), is_supposed("if i had to choose")
    (True, False)
    """
    return _SUPPOSED.search(f"{before} ") is not None


def is_rejected(after: str) -> bool:
    """Return whether words reject what precedes.

    >>> is_rejected("is not answer"), is_rejected("cannot be right"), is_rejected("is right")
    (True, True, False)
    """
    return _REJECTED.match(after) is not None


def is_unclear(after: str) -> bool:
    """Return whether words say of what precedes that it does not do something.

    >>> is_unclear("does not fit"), is_unclear("fits")
    (True, False)
    """
    return _UNCLEAR.match(after) is not None


def is_inability(option: str, before: str, after: str) -> bool:
    """Return whether an option such as `cannot` says what the writer of the reply can do.

    >>> is_inability("cannot", "sorry i", ""), is_inability("cannot", "it", "be determined")
    (True, True)
    >>> is_inability("cannot", "ferry", "")
    False
    """
    is_unable = option.endswith("cannot") and _INABILITY.match(after) is not None
    return is_unable or before == "i" or before.endswith(" i")

"""Scoring methods of chat models: protocols, their questions, and how replies are read.

A protocol is a file that says how a problem is put to a model. Every choice is asked in both
orders, and counts only if both agree.
"""

from horsesense.scoring.chat.asking import NOTHING, option_text, questions_about
from horsesense.scoring.chat.choosing import (
    ALL_SENSIBLE,
    FOLLOWS_POSITION,
    NONE_SENSIBLE,
    SEVERAL_SENSIBLE,
    TOO_MANY_OPTIONS,
    WRITTEN_DIFFERS,
    Choice,
    choice_of,
    shown_place,
)
from horsesense.scoring.chat.methods import (
    CHAT_METHODS,
    find_chat_method,
    names_protocol,
    protocol_of,
)
from horsesense.scoring.chat.protocol import (
    OWN_PROTOCOLS,
    Example,
    Protocol,
    Wording,
    load_protocol,
    own_protocol,
    read_protocol,
)
from horsesense.scoring.chat.reading import (
    REFUSALS,
    REFUSING_FINISHES,
    TRUNCATING_FINISHES,
    ReadReply,
    ReplyFault,
    answer_log_probs,
    read_question,
)

__all__ = [
    "ALL_SENSIBLE",
    "CHAT_METHODS",
    "FOLLOWS_POSITION",
    "NONE_SENSIBLE",
    "NOTHING",
    "OWN_PROTOCOLS",
    "REFUSALS",
    "REFUSING_FINISHES",
    "SEVERAL_SENSIBLE",
    "TOO_MANY_OPTIONS",
    "TRUNCATING_FINISHES",
    "WRITTEN_DIFFERS",
    "Choice",
    "Example",
    "Protocol",
    "ReadReply",
    "ReplyFault",
    "Wording",
    "answer_log_probs",
    "choice_of",
    "find_chat_method",
    "load_protocol",
    "names_protocol",
    "option_text",
    "own_protocol",
    "protocol_of",
    "questions_about",
    "read_protocol",
    "read_question",
    "shown_place",
]

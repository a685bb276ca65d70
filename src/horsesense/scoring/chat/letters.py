"""Read a letter, or yes or no, in the reply of a chat model."""

from __future__ import annotations

import re
from collections.abc import Iterator

from horsesense.models import Question, ReplyKind
from horsesense.scoring.chat.words import bare, complete_sentence, only, option_as_written

# Letters that are words as well. Before a word in lower case they are read as words, unless
# something says otherwise.
_WORDLIKE = ("A", "I")
_SPACE = r"[^\S\n]+"
# What is said of a letter stands in so many characters before or after it.
_REACH = 400
_BEFORE_LETTER = rf"(?:(?:the|an?|option|letter|answer|choice){_SPACE})*"
# Words between a negation and what it denies, as in `I would not choose B`, but `not A but B`.
_DENIED_WORDS = (
    r"(?:(?!(?:and|as|because|but|hence|instead|nor|or|rather|since|so|therefore|thus|whereas"
    rf"|while)\b)(?-i:[a-z][a-z']*){_SPACE}){{0,5}}"
)
_NEGATED = re.compile(
    rf"(?:(?:\b(?:not|cannot|neither|nor|than|never)|'t){_SPACE}{_DENIED_WORDS}"
    r"|\b(?:rul(?:e|es|ed|ing) +out|exclud(?:e|es|ed|ing)|eliminat(?:e|es|ed|ing)"
    r"|reject(?:s|ed|ing)?|dismiss(?:es|ed|ing)?|except(?: +for)?|apart +from|instead +of|over"
    rf"|(?:all|any|every)(?:thing)? +but){_SPACE})"
    rf"{_BEFORE_LETTER}(?:['\"(]*[A-Z]\b['\")]* *(?:and|or|nor|/|&) *{_BEFORE_LETTER})*['\"(]*$",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    rf"\b(?:if|whether|unless|assuming|suppos(?:e|ing)){_SPACE}(?!(?:I|we|you)\b)"
    rf"(?:[\w']+{_SPACE}){{0,6}}['\"(]*$",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"\b(?:options|choices|letters|possibilities)\s*(?:are|were|:)"
    r"(?:\b[A-Z]\.|[.!?]+\s*\n|[^.!?])*+$",
    re.IGNORECASE,
)
_REJECTED = re.compile(
    rf"(?:(?:['\")]*{_SPACE}(?:and|or|nor){_SPACE}(?:option +)?['\"(]*[A-Z]\b)+"
    r"(?=['\")]* +(?:are|can|could|do|have|make|must|were|would)\b))?['\")\]]*\s+(?:"
    r"(?:is|are|was|were|seems?|sounds?|looks?|(?:would|could|must|may|might|can) +be|has +been) +"
    r"(?:(?:an?|also|just|quite|then|to|be|too|very|\w+ly) +)*(?:not"
    r"|no +(?:answer|choice|fit|good|match|option)|wrong|incorrect|false|impossible|invalid"
    r"|illogical|implausible|unlikely|nonsense|nonsensical|absurd|odd|strange|out|ruled +out"
    r"|excluded|eliminated|rejected)\b"
    r"|(?:is|are|was|were|do|does|did|would|could|can|will|should|has|have)(?:n't| +not)\b"
    r"|cannot\b|can't\b|won't\b|makes? +(?:no|little) +sense|fails?\b|contradicts?\b)",
    re.IGNORECASE,
)
_NAMED = re.compile(r"\b(?:option|letter|answer|choice)\W*$|\b(?:is|be)\W*$|\($", re.IGNORECASE)
_AFTER_LETTER = re.compile(
    r"\s+(?:is|was|because|since|as|fits|makes|does|and|or|rather|instead|over|would|seems|the)\b"
    r"|(?![^\S\n]+[a-z])"
)
_FINAL_LETTER = re.compile(
    r"(?i:\b(?:answer|choice|option)(?:\s+is|\s+would\s+be|\s+should\s+be|\s*[:=])+\s*"
    r"(?:(?:option|letter)\s+)?)\W{0,3}([A-Z]\b(?!')|[a-z](?=\W*$|[.):]))",
    re.MULTILINE,
)
_ANOTHER_LETTER = re.compile(
    r"['\")]*\s*(?:/|&|\bor\b|\band\b)\s*(?:(?:the|option|letter|answer)\s+)*['\"(]*([A-Z])\b"
)
# What may follow yes or no for it to be a verdict, besides punctuation: `no problem` is none.
_AFTER_VERDICT = (
    r"(?=\W*$|\s*[^\w\s/]|\s*\n|\s+(?:it|it's|this|that|the|they|he|she|because|since|as)\b)"
)
_BEFORE_VERDICT = (
    r"(?:^|[.!?:]\s++|\b(?:answer|verdict|reply)(?:\s+is|\s+would\s+be|\s*:)\s*"
    r"|\b(?:I|we)(?:'d|'ll|\s+would|\s+will|\s+must)?(?:\s+(?:still|then|rather|\w+ly))*"
    r"\s+(?:say|answer|think|guess|go\s+with|choose)\s++)[^\w\n]*+"
)
_TURNING = r"\b(?:actually|also|and|but|maybe|or|perhaps|rather|then|though|wait|well)\b"
# Other words for the usual verdicts.
_VERDICT_WORDS = {"yes": "yes|yeah|yep|yup", "no": "no|nope|nah"}


def read_letter(question: Question, text: str) -> int | None:
    """Read a letter; without any, an option that is the whole reply, or a complete sentence."""
    answers = question.answers
    letters = {bare(line).upper() for line in text.splitlines()} & set(answers)
    if not letters:
        letters = {*_final_letters(question, text)}
    if not letters and (option := option_as_written(question, text)) is not None:
        return option
    if not letters:
        letters = {letter for letter, _ in _stated_letters(question, text)}
    if not letters:
        return complete_sentence(question, text)
    return only({answers.index(letter) for letter in letters})


def read_verdict(question: Question, text: str) -> int | None:
    """Read yes or no at the start of a sentence, or in `the answer is yes`."""
    yes, no = map(_verdict_words, question.answers)
    if any(re.search(_joined(*pair), text, re.IGNORECASE) for pair in ((yes, no), (no, yes))):
        return None
    return only({verdict for verdict, _ in _stated_verdicts(question, text)})


def states_answer_at(question: Question, text: str, place: int) -> bool:
    """Return whether a text states a letter, or yes or no, at a place as the answer."""
    is_letter = question.kind is ReplyKind.LETTER
    stated = _stated_letters if is_letter else _stated_verdicts
    return any(start == place for _, start in stated(question, text))


def _final_letters(question: Question, text: str) -> Iterator[str]:
    """Yield the letters in `the answer is A`; both of them in `the answer is A or B`."""
    for match in _FINAL_LETTER.finditer(text):
        letter, before, after = match[1].upper(), text[: match.start()], text[match.end() :]
        if letter not in question.answers or _NEGATED.search(before) or _SUPPOSED.search(before):
            continue
        if not _is_rejected(question, letter, after):
            yield letter
        other = _ANOTHER_LETTER.match(after)
        if other is None or other[1] not in question.answers:
            continue
        if not _is_rejected(question, other[1], after[other.end() :]):
            yield other[1]


def _stated_letters(question: Question, text: str) -> Iterator[tuple[str, int]]:
    """Yield each letter that is named as an answer anywhere in a text, and the place."""
    for letter in question.answers:
        lower = letter.lower()
        pattern = rf"(?<![\w'.]){letter}(?![\w']|\.\w)|\A\W*{lower}[.:)](?!\w)|(?<!\w){lower}\)"
        for match in re.finditer(pattern, text):
            before = text[max(0, match.start() - _REACH) : match.start()]
            after = text[match.end() : match.end() + _REACH]
            is_word = match[0] in _WORDLIKE and not _NAMED.search(before)
            is_before_option = _is_before_option(question, letter, after)
            if is_word and not is_before_option and not _AFTER_LETTER.match(after):
                continue
            is_denied = any(each.search(before) for each in (_NEGATED, _SUPPOSED, _LISTED))
            if not is_denied and not _is_rejected(question, letter, after):
                yield letter, match.start()


def _is_rejected(question: Question, letter: str, after: str) -> bool:
    """Return whether a letter is rejected by what follows, unless that is its option."""
    is_option = _is_before_option(question, letter, after)
    return not is_option and _REJECTED.match(after) is not None


def _is_before_option(question: Question, letter: str, after: str) -> bool:
    """Return whether a letter stands before its own option, as in `A cannot`, and nothing more."""
    option = re.escape(question.options[question.answers.index(letter)])
    # After `B)` comes its option; `B is not right` is about B even if the option is `is not`.
    end = r"(?!\w)" if after.startswith(")") else r"(?:\s*$|[^\w\s])"
    pattern = rf"\)?\s+{option}{end}"
    return re.match(pattern, after, re.IGNORECASE | re.MULTILINE) is not None


def _stated_verdicts(question: Question, text: str) -> Iterator[tuple[int, int]]:
    """Yield each verdict that is given in a text, 0 for yes and 1 for no, and the place."""
    for verdict, words in enumerate(map(_verdict_words, question.answers)):
        pattern = f"{_BEFORE_VERDICT}({words}){_AFTER_VERDICT}"
        for match in re.finditer(pattern, text, re.IGNORECASE | re.MULTILINE):
            before = text[: match.start(1)]
            if not _NEGATED.search(before) and not _SUPPOSED.search(before):
                yield verdict, match.start(1)


def _verdict_words(word: str) -> str:
    """Return a pattern of the words for a verdict."""
    return _VERDICT_WORDS.get(word.casefold(), word)


def _joined(first: str, second: str) -> str:
    """Return a pattern of two verdicts side by side, as in `yes or no`, and `yes, but no`."""
    side_by_side = rf"\s*(?:/|,|\bor\b|\band\b)\s*(?:{second})\b"
    turned = rf"\W*(?:{_TURNING}\W*){{1,3}}(?:{second}){_AFTER_VERDICT}"
    return rf"\b(?:{first})\b(?:{side_by_side}|{turned})"

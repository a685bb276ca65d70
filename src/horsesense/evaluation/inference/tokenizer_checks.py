"""Checks of a tokenizer on texts that are known to cause trouble.

None of them needs weights. `Finding` is the result of one check, here and in `doctor`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from horsesense.errors import ModelError
from horsesense.models import Family, LanguageModel, Token, Tokenization, align
from horsesense.schema import AxisName, Span

# Every letter in both cases, figures, quotes, an apostrophe, a hyphen and double spaces.
PLAIN = (
    "The quick brown fox jumps over the lazy dog.",
    "PACK MY BOX WITH FIVE DOZEN LIQUOR JUGS!",
    'Nora said, "It\'s 25 miles (40 km) to the well-known inn."',
    "Two  spaces; a semicolon: and the neighbours' unputdownable zoological dictionary?",
)
FOREIGN = ("Zoë’s naïve façade – “déjà vu” …", "猫 sleeps; собака no", "🐎 trots")
_WORD, _SENTENCE = "garden", "They walked through the garden gate."
_OWNER, _OWNED = "goat", "Nobody touched the goat's horn."
# How vocabularies spell the space before a word, or that there is none.
_SPACES = ("Ġ", "▁", " ", "##")
_BEHIND_WORD = "</w>"


class Health(StrEnum):
    """The verdict of a check."""

    OK = "ok"
    WARNING = "warning"
    FAILURE = "failure"


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a check: its verdict, an explanation, and a remedy if there is one."""

    check: str
    verdict: Health
    text: str
    remedy: str = ""


def ok(check: str, text: str) -> Finding:
    """Report a passed check."""
    return Finding(check, Health.OK, text)


def warning(check: str, text: str, remedy: str = "") -> Finding:
    """Report something to keep in mind when tokenization scores."""
    return Finding(check, Health.WARNING, text, remedy)


def failure(check: str, text: str, remedy: str = "") -> Finding:
    """Report a fault that makes scores wrong."""
    return Finding(check, Health.FAILURE, text, remedy)


def examine_tokenizer(model: LanguageModel) -> Iterator[Finding]:
    """Check the tokenizer of a model; no weights are loaded."""
    checks = [_special_tokens, _unknown, _offsets, _leading_space, _capital, _possessive, _foreign]
    family = model.info.family
    if family is Family.MASKED:
        checks.append(_mask)
    if family is Family.SEQ2SEQ:
        checks.append(_sentinels)
    for check in checks:
        try:
            yield check(model)
        except ModelError as error:
            yield failure(check.__name__.strip("_").replace("_", " "), str(error))


def _special_tokens(model: LanguageModel) -> Finding:
    declared, ids = model.info, model.tokenize(_SENTENCE).ids
    check = "special tokens"
    if declared.before and ids[: len(declared.before) * 2] == declared.before * 2:
        spelt = model.token_text(declared.before[0])
        return failure(
            check,
            f"{spelt} comes twice before a text",
            "the model was trained with one; fix its tokenizer",
        )
    around = (
        ids[: len(declared.before)] == declared.before
        and ids[len(ids) - len(declared.after) :] == declared.after
    )
    if not around:
        return failure(
            check,
            "the tokens around a text are not the special tokens of the model",
            "the folder may mix files of two models; download it again",
        )
    before, after = (
        " ".join(map(model.token_text, tokens)) for tokens in (declared.before, declared.after)
    )
    if declared.family is Family.CAUSAL and not before:
        return ok(check, "no BOS: full scores need a table of token frequencies")
    return ok(check, f"{before or 'none'} before a text, {after or 'none'} after it")


def _offsets(model: LanguageModel) -> Finding:
    check = "offsets"
    for text in PLAIN:
        if wrong := _wrong_offset(model, model.tokenize(text)):
            return failure(
                check,
                f"{wrong} in {text!r}",
                "methods would sum the wrong tokens; use the model's own fast tokenizer",
            )
    return ok(check, "cover every character, in order, and match the tokens")


def _wrong_offset(model: LanguageModel, tokenization: Tokenization) -> str:
    """Describe the first wrong offset; empty if there is none."""
    end = 0
    for token in (tokenization.tokens[at] for at in tokenization.real):
        if not (token.start <= token.end <= len(tokenization.text)) or token.end < end:
            return f"token {model.token_text(token.id)!r} has the wrong offset {token.start}"
        if skipped := tokenization.text[end : token.start].strip():
            return f"no token covers {skipped!r}"
        if not _is_spelt(model, tokenization, token):
            covered = tokenization.text[token.start : token.end]
            return f"token {model.token_text(token.id)!r} is mapped to {covered!r}"
        end = max(end, token.end)
    rest = tokenization.text[end:].strip()
    return f"no token covers {rest!r}" if rest else ""


def _is_spelt(model: LanguageModel, tokenization: Tokenization, token: Token) -> bool:
    """True if the vocabulary spells the token as the text does, or in a way of its own."""
    if token.id == model.info.unknown:
        return True
    spelt = model.token_text(token.id).removesuffix(_BEHIND_WORD)
    for space in _SPACES:
        while spelt.startswith(space) and len(spelt) >= len(space):
            spelt = spelt[len(space) :]
    covered = tokenization.text[token.start : token.end]
    # Bytes are spelt as code points of other letters; those are not compared.
    return not spelt.isascii() or not spelt.isalnum() or spelt.casefold() == covered.casefold()


def _leading_space(model: LanguageModel) -> Finding:
    check = "leading space"
    inside = _ids_of(model.tokenize(_SENTENCE), _WORD)
    after_space = model.tokenize(f" {_WORD}", specials=False).ids
    alone = model.tokenize(_WORD, specials=False).ids
    if inside != after_space:
        return warning(
            check,
            f"{_WORD!r} after a space has different tokens than inside a sentence",
            "we tokenize whole sentences, so scores are right; other tools may differ",
        )
    if inside != alone:
        return ok(check, "a word has one token after a space and another at the start of a text")
    return ok(check, "a word has the same token with and without a space before it")


def _ids_of(tokenization: Tokenization, word: str) -> tuple[int, ...]:
    start = tokenization.text.index(word)
    tokens = (tokenization.tokens[at] for at in tokenization.real)
    return tuple(t.id for t in tokens if t.start < start + len(word) and t.end > start)


def _capital(model: LanguageModel) -> Finding:
    small, capital = (
        model.tokenize(word, specials=False).ids for word in (_WORD, _WORD.capitalize())
    )
    if small == capital:
        return warning(
            "capitals",
            "are lowercased",
            "sentences that differ only in capitals are the same to this model",
        )
    return ok("capitals", "are kept")


def _possessive(model: LanguageModel) -> Finding:
    start = _OWNED.index(_OWNER)
    span = Span(AxisName.ANSWER, 0, start, start + len(_OWNER))
    if align(model.tokenize(_OWNED), [span]).straddling:
        return warning(
            "possessive",
            f'one token covers the end of {_OWNER!r} and the beginning of "\'s"',
            "it counts as after the blank; with --straddling blank, as part of it",
        )
    return ok("possessive", '"\'s" starts a new token')


def _unknown(model: LanguageModel) -> Finding:
    if words := _unknown_in(model, PLAIN):
        return failure(
            "plain text",
            f"no tokens for {', '.join(words)}",
            "the vocabulary belongs to another model or another language",
        )
    return ok("plain text", "every word of plain English has tokens")


def _foreign(model: LanguageModel) -> Finding:
    check = "other characters"
    if characters := _unknown_in(model, FOREIGN):
        return warning(
            check,
            f"no tokens for {', '.join(characters)}",
            "sentences with such characters get no score",
        )
    return ok(check, "characters outside ASCII have tokens")


def _unknown_in(model: LanguageModel, texts: tuple[str, ...]) -> list[str]:
    """List the words without tokens, whether the model raises an error for them or not."""
    words = dict.fromkeys(word for text in texts for word in text.split())
    return [word for word in words if not _is_known(model, word)]


def _is_known(model: LanguageModel, word: str) -> bool:
    try:
        read = model.tokenize(word, specials=False)
    except ModelError:
        return False
    return model.info.unknown not in read.ids


def _mask(model: LanguageModel) -> Finding:
    mask = model.info.mask
    if mask is None:
        return failure("mask", "the model has no mask token", "use a masked model")
    return ok("mask", f"{model.token_text(mask)} masks a token")


def _sentinels(model: LanguageModel) -> Finding:
    sentinels, remedy = model.info.sentinels, "labels need three, in order; use a T5 model"
    if len(sentinels) < 3:
        return failure("sentinels", f"the model has {len(sentinels) or 'no'} sentinels", remedy)
    spelt = [model.token_text(sentinel) for sentinel in sentinels[:3]]
    read = model.tokenize(f"{spelt[0]} one{spelt[1]} two{spelt[2]}", specials=False).ids
    if [token for token in read if token in sentinels] != list(sentinels[:3]):
        return failure("sentinels", f"{' '.join(spelt)} are not separate tokens", remedy)
    return ok("sentinels", f"{' '.join(spelt)} in this order")

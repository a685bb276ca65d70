"""How a model's tokenizer goes about a text, found out by giving it some."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from horsesense.errors import ModelError
from horsesense.models.family import Family
from horsesense.models.huggingface.files.libraries import reason
from horsesense.models.huggingface.tokenizer import backend

# Less is what transformers makes of files that it does not look for.
_SMALLEST_VOCABULARY = 10
_PROBES = ("A goat ate the oats.", "Two carts", "x")
_TOKENIZERS = ("tokenizer.json", "vocab*", "*.model", "*.tiktoken", "tekken.json")
# Enough for two blanks: each has a sentinel before it, and one closes the label.
_NEEDED_SENTINELS = 3


@dataclass(frozen=True, slots=True)
class Habits:
    """What a tokenizer puts around a text, and its tokens for special uses."""

    content: str
    before: tuple[int, ...]
    after: tuple[int, ...]
    unknown: int | None
    mask: int | None
    pad: int | None
    eos: int | None
    sentinels: tuple[int, ...]


def has_tokenizer(folder: Path) -> bool:
    """True if there is a file that a tokenizer can be made from."""
    return any(any(folder.glob(pattern)) for pattern in _TOKENIZERS)


def find_habits(folder: Path, family: Family, transformers: Any) -> Habits:
    """Try out the tokenizer in a folder."""
    loaded = _load(folder, transformers)
    content = _without_lengths(loaded.backend_tokenizer.to_str())
    before, after = _around(folder, loaded, content)
    sentinels = _sentinels(loaded) if family is Family.SEQ2SEQ else ()
    if family is Family.SEQ2SEQ and len(sentinels) < _NEEDED_SENTINELS:
        raise ModelError(
            f"{folder} cannot be asked for spans: its tokenizer has no sentinels <extra_id_0>, "
            "<extra_id_1>, …; use a model of the T5 kind"
        )
    if family is Family.MASKED and loaded.mask_token_id is None:
        raise ModelError(
            f"{folder} has no mask token in its tokenizer; add its own tokenizer_config.json"
        )
    return Habits(
        content=content,
        before=before,
        after=after,
        unknown=loaded.unk_token_id,
        mask=loaded.mask_token_id if family is Family.MASKED else None,
        pad=loaded.pad_token_id,
        eos=loaded.eos_token_id,
        sentinels=sentinels,
    )


def _load(folder: Path, transformers: Any) -> Any:
    try:
        loaded = transformers.AutoTokenizer.from_pretrained(
            str(folder), local_files_only=True, trust_remote_code=False
        )
    except Exception as error:  # each kind of tokenizer fails in its own way
        raise ModelError(
            f"the tokenizer of {folder} cannot be loaded: {reason(error)}\n"
            "  a tokenizer.json beside the config.json is enough"
        ) from error
    if not getattr(loaded, "is_fast", False) or not hasattr(loaded, "backend_tokenizer"):
        raise ModelError(
            f"the tokenizer of {folder} does not tell where its tokens stand; "
            "add the tokenizer.json of its fast version"
        )
    # Without any file transformers makes a tokenizer that knows nothing but special tokens.
    if not has_tokenizer(folder):
        raise ModelError(f"{folder} holds no tokenizer; add its tokenizer.json")
    if len(set(loaded.get_vocab()) - set(loaded.get_added_vocab())) < _SMALLEST_VOCABULARY:
        raise ModelError(
            f"the files in {folder} are not what {type(loaded).__name__} reads, which its config "
            "leads to; add a tokenizer.json, or the right tokenizer_class in tokenizer_config.json"
        )
    return loaded


def _without_lengths(content: str) -> str:
    """The same tokenizer: it is to cut nothing off, and to fill nothing up."""
    parsed = json.loads(content)
    parsed["truncation"] = parsed["padding"] = None
    return json.dumps(parsed, ensure_ascii=False, separators=(",", ":"))


def _around(folder: Path, loaded: Any, content: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The special tokens that stand before and after every text."""
    tokenizer, seen = backend(content), set()
    for probe in _PROBES:
        encoding = tokenizer.encode(probe)
        ids, special = list(encoding.ids), encoding.special_tokens_mask
        if ids != loaded(probe, truncation=False, padding=False)["input_ids"]:
            raise ModelError(
                f"the tokenizer of {folder} does more than its tokenizer.json says; "
                "save it anew with a recent transformers"
            )
        start, end = special.index(0), len(ids) - special[::-1].index(0)
        if ids[start:end] != tokenizer.encode(probe, add_special_tokens=False).ids:
            raise ModelError(f"the tokenizer of {folder} puts special tokens inside of texts")
        seen.add((tuple(ids[:start]), tuple(ids[end:])))
    (before, after), *others = seen
    if others or len(set(before)) < len(before):
        raise ModelError(
            f"the tokenizer of {folder} puts one token twice before a text, or not the same ones "
            "before every text; look at its post_processor"
        )
    return before, after


def _sentinels(loaded: Any) -> tuple[int, ...]:
    vocabulary = loaded.get_vocab()
    numbers = iter(range(len(vocabulary)))
    found = iter(lambda: vocabulary.get(f"<extra_id_{next(numbers)}>"), None)
    return tuple(found)

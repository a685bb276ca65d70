"""Inspect a model folder: the family and limits in its config, and the traits of its tokenizer."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from horsesense.errors import ModelError
from horsesense.models.huggingface.libraries import reason, transformers_quietly
from horsesense.models.huggingface.tokenizer import backend
from horsesense.models.huggingface.weights import count_parameters
from horsesense.models.protocol import Family, ModelInfo

CONFIG = "config.json"
# Their position ids start after the padding id, so the first rows of their tables are unused.
_PADDED_POSITIONS = frozenset(
    [
        "camembert",
        "data2vec-text",
        "ibert",
        "lilt",
        "longformer",
        "luke",
        "markuplm",
        "mpnet",
        "roberta",
        "roberta-prelayernorm",
        "xlm-roberta",
        "xlm-roberta-xl",
        "xmod",
    ]
)
_LIMITS = ("max_position_embeddings", "n_positions", "max_seq_len", "max_sequence_length", "n_ctx")
# Keys of a config that do not affect the computation.
_BOOKKEEPING = frozenset(
    [
        "_name_or_path",
        "name_or_path",
        "transformers_version",
        "architectures",
        "dtype",
        "torch_dtype",
        "use_cache",
        "finetuning_task",
        "task_specific_params",
    ]
)


def load_config(folder: Path, transformers: Any) -> Any:
    """Load the config of a model with transformers."""
    content = read_config(folder)
    kind = content.get("model_type")
    try:
        return transformers.AutoConfig.from_pretrained(
            str(folder), local_files_only=True, trust_remote_code=False
        )
    except Exception as error:  # configs check themselves in as many ways as there are models
        if "auto_map" in content:
            problem = "needs its own code, which is never run here; use a model of transformers"
        elif kind not in transformers.CONFIG_MAPPING:
            library = f"transformers {transformers.__version__}"
            problem = f"is of the type {kind!r}, which {library} does not know; a newer one may"
        else:
            problem = f"has a {CONFIG} that cannot be used: {reason(error)}"
        raise ModelError(f"{folder} {problem}") from error


def read_config(folder: Path) -> dict[str, Any]:
    """Read the config of a model as JSON."""
    path = folder / CONFIG
    try:
        content = json.loads(path.read_bytes())
    except OSError as error:
        raise ModelError(
            f"{folder} is not a model folder: it has no {CONFIG}; give the folder that has one"
        ) from error
    except ValueError as error:
        raise ModelError(f"{path} is damaged: it is not JSON; fetch it again") from error
    if not isinstance(content, dict):
        raise ModelError(f"{path} is damaged: it is not a JSON object; fetch it again")
    if "transformers_weights" in content:
        raise ModelError(f"{path} names its own weight files; rename them to model.safetensors")
    return content


def config_hash(folder: Path) -> str:
    """Return a hash of the config entries that the model's answers may depend on."""
    content = read_config(folder)
    relevant = {key: value for key, value in content.items() if key not in _BOOKKEEPING}
    return hashlib.sha256(json.dumps(relevant, sort_keys=True).encode()).hexdigest()


def family_of(config: Any, folder: Path) -> Family:
    """Return the family of a model, or raise an error that names the missing head."""
    from transformers.models.auto import modeling_auto as auto

    causal, masked = auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES, auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES
    seq2seq = auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES
    kind = config.model_type
    heads = {Family.SEQ2SEQ: seq2seq, Family.MASKED: masked, Family.CAUSAL: causal}
    possible = {family: names[kind] for family, names in heads.items() if kind in names}
    if not config.is_encoder_decoder:
        possible.pop(Family.SEQ2SEQ, None)
    elif Family.SEQ2SEQ in possible:
        possible = {Family.SEQ2SEQ: possible[Family.SEQ2SEQ]}
    named = (config.architectures or [None])[0]
    family = _by_name(named, possible) if named else _by_kind(config, possible)
    if family is None:
        raise ModelError(f"{folder} {_lacks_head(named, kind, possible)}")
    return family


def _by_name(named: str, possible: dict[Family, Any]) -> Family | None:
    if Family.SEQ2SEQ in possible:
        has_head = named.endswith(("ForConditionalGeneration", "WithLMHeadModel"))
        return Family.SEQ2SEQ if has_head else None
    if named.endswith(("ForCausalLM", "LMHeadModel")) and Family.CAUSAL in possible:
        # XLM and Flaubert have one head for both, and are trained as masked models.
        both = possible.get(Family.MASKED) == possible[Family.CAUSAL]
        return Family.MASKED if both and named.endswith("WithLMHeadModel") else Family.CAUSAL
    pretraining = ("ForMaskedLM", "ForPreTraining")  # ELECTRA's detects replaced tokens
    if named.endswith(pretraining) and named != "ElectraForPreTraining":
        return Family.MASKED if Family.MASKED in possible else None
    return next((family for family, name in possible.items() if name == named), None)


def _by_kind(config: Any, possible: dict[Family, Any]) -> Family | None:
    if len(possible) == 2:
        return Family.CAUSAL if getattr(config, "is_decoder", False) else Family.MASKED
    return next(iter(possible), None)


def _lacks_head(named: str | None, kind: str, possible: dict[Family, Any]) -> str:
    if not possible:
        return f"is a model of the type {kind!r}, which has no language-modelling head at all"
    needed = " or ".join(
        str(name) if isinstance(name, str) else str(name[0]) for name in possible.values()
    )
    return (
        f"lacks a language-modelling head: it was saved as {named or kind}, which does not compute "
        f"token probabilities; use one that was saved as {needed}"
    )


def first_position(config: Any) -> int:
    """Return the position id of the first token."""
    return int(config.pad_token_id) + 1 if config.model_type in _PADDED_POSITIONS else 0


def context_of(config: Any) -> int | None:
    """Return the maximum number of tokens, or None if there is no limit."""
    text = config.get_text_config()
    if getattr(text, "relative_attention_num_buckets", None) and config.is_encoder_decoder:
        return None
    limits = (getattr(text, name, None) for name in _LIMITS)
    limit = next((value for value in limits if isinstance(value, int) and value > 0), None)
    return None if limit is None else limit - first_position(config)


# Smaller vocabularies come from files that transformers ignores.
_SMALLEST_VOCABULARY = 10
_PROBES = ("A goat ate the oats.", "Two carts", "x")
_TOKENIZERS = ("tokenizer.json", "vocab*", "*.model", "*.tiktoken", "tekken.json")
# Enough for two blanks: each has a sentinel before it, and one closes the label.
_NEEDED_SENTINELS = 3


@dataclass(frozen=True, slots=True)
class TokenizerTraits:
    """A tokenizer as JSON, the tokens it adds around a text, and its special tokens."""

    content: str
    before: tuple[int, ...]
    after: tuple[int, ...]
    unknown: int | None
    mask: int | None
    pad: int | None
    eos: int | None
    sentinels: tuple[int, ...]


def has_tokenizer(folder: Path) -> bool:
    """Return whether a folder has a file that a tokenizer can be loaded from."""
    return any(any(folder.glob(pattern)) for pattern in _TOKENIZERS)


def find_tokenizer_traits(folder: Path, family: Family, transformers: Any) -> TokenizerTraits:
    """Load the tokenizer in a folder and find its traits by running it."""
    loaded = _load(folder, transformers)
    content = _without_lengths(loaded.backend_tokenizer.to_str())
    before, after = _around(folder, loaded, content)
    sentinels = _sentinels(loaded) if family is Family.SEQ2SEQ else ()
    if family is Family.SEQ2SEQ and len(sentinels) < _NEEDED_SENTINELS:
        raise ModelError(
            f"{folder} cannot be queried for spans: its tokenizer has no sentinels <extra_id_0>, "
            "<extra_id_1>, …; use a T5-like model"
        )
    if family is Family.MASKED and loaded.mask_token_id is None:
        raise ModelError(
            f"{folder} has no mask token in its tokenizer; add its own tokenizer_config.json"
        )
    return TokenizerTraits(
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
            f"the tokenizer of {folder} does not return character offsets; "
            "add the tokenizer.json of its fast version"
        )
    # Without any file, transformers creates a tokenizer with nothing but special tokens.
    if not has_tokenizer(folder):
        raise ModelError(f"{folder} has no tokenizer; add its tokenizer.json")
    if len(set(loaded.get_vocab()) - set(loaded.get_added_vocab())) < _SMALLEST_VOCABULARY:
        raise ModelError(
            f"the files in {folder} do not fit {type(loaded).__name__}, which its config requires; "
            "add a tokenizer.json, or the right tokenizer_class in tokenizer_config.json"
        )
    return loaded


def _without_lengths(content: str) -> str:
    """Return the tokenizer without truncation and padding."""
    parsed = json.loads(content)
    parsed["truncation"] = parsed["padding"] = None
    return json.dumps(parsed, ensure_ascii=False, separators=(",", ":"))


def _around(folder: Path, loaded: Any, content: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the special tokens before and after every text."""
    tokenizer, seen = backend(content), set()
    for probe in _PROBES:
        encoding = tokenizer.encode(probe)
        ids, special = list(encoding.ids), encoding.special_tokens_mask
        if ids != loaded(probe, truncation=False, padding=False)["input_ids"]:
            raise ModelError(
                f"the tokenizer of {folder} does more than its tokenizer.json says; "
                "save it again with a recent transformers"
            )
        start, end = special.index(0), len(ids) - special[::-1].index(0)
        if ids[start:end] != tokenizer.encode(probe, add_special_tokens=False).ids:
            raise ModelError(f"the tokenizer of {folder} adds special tokens inside texts")
        seen.add((tuple(ids[:start]), tuple(ids[end:])))
    (before, after), *others = seen
    if others or len(set(before)) < len(before):
        raise ModelError(
            f"the tokenizer of {folder} adds a token twice before a text, or not the same ones "
            "before every text; check its post_processor"
        )
    return before, after


def _sentinels(loaded: Any) -> tuple[int, ...]:
    vocabulary = loaded.get_vocab()
    numbers = iter(range(len(vocabulary)))
    return tuple(iter(lambda: vocabulary.get(f"<extra_id_{next(numbers)}>"), None))


# Fields that depend on how a model is used.
_OPEN = {"name": "", "revision": "", "dtype": "", "device": ""}


def inspect_folder(
    folder: Path, weights: Sequence[Path], hashes: Sequence[str]
) -> tuple[ModelInfo, str]:
    """Return the info of the model in a folder, and its tokenizer as JSON.

    `hashes` are those of the weight files, in order. Name, revision, dtype and device are left
    empty, as they depend on how the model is used.
    """
    parameters = count_parameters(weights)
    with transformers_quietly() as transformers:
        config = load_config(folder, transformers)
        family = family_of(config, folder)
        traits = find_tokenizer_traits(folder, family, transformers)
    vocabulary = int(config.get_text_config().vocab_size)
    _check_vocabulary(folder, traits, vocabulary)
    info = ModelInfo(
        **_OPEN,
        family=family,
        architecture=_architecture(config),
        weights=_weights_hash(weights, hashes),
        tokenizer=hashlib.sha256(traits.content.encode()).hexdigest(),
        config=config_hash(folder),
        parameters=parameters,
        vocabulary=vocabulary,
        context=context_of(config),
        before=traits.before,
        after=traits.after,
        unknown=traits.unknown,
        mask=traits.mask,
        pad=_pad(config, traits),
        eos=traits.eos,
        sentinels=traits.sentinels,
        first_position=first_position(config),
    )
    return info, traits.content


def _pad(config: Any, traits: TokenizerTraits) -> int | None:
    """Return the padding token of the config, or else that of the tokenizer."""
    own = getattr(config, "pad_token_id", None)
    return own if isinstance(own, int) else traits.pad


def _architecture(config: Any) -> str:
    return str((config.architectures or [config.model_type])[0])


def _weights_hash(weights: Sequence[Path], hashes: Sequence[str]) -> str:
    """Return the hash of a single file, or a hash of the hashes of several."""
    if len(hashes) == 1:
        return hashes[0]
    lines = (f"{hash_}  {path.name}\n" for path, hash_ in zip(weights, hashes, strict=True))
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _check_vocabulary(folder: Path, traits: TokenizerTraits, vocabulary: int) -> None:
    used = (*traits.before, *traits.after, *traits.sentinels, traits.mask or 0)
    if max(used) >= vocabulary:
        raise ModelError(
            f"the tokenizer of {folder} belongs to another model: it uses token {max(used)}, but "
            f"the model has only {vocabulary}; put the tokenizer of this model there"
        )

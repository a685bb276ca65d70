"""What kind of model a folder holds, by its own config."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from horsesense.errors import ModelError
from horsesense.models.family import Family
from horsesense.models.huggingface.files.libraries import reason

CONFIG = "config.json"
# These count positions from after that of padding, and have a row for each of those before.
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
# Keys of a config that say where it is from, and nothing about how the model computes.
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
    """The config of a model as transformers reads it."""
    content = read_config(folder)
    kind = content.get("model_type")
    try:
        return transformers.AutoConfig.from_pretrained(
            str(folder), local_files_only=True, trust_remote_code=False
        )
    except Exception as error:  # configs check themselves in as many ways as there are models
        if "auto_map" in content:
            said = (
                "runs code of its own, which is never run here; use a model that transformers knows"
            )
        elif kind not in transformers.CONFIG_MAPPING:
            reader = f"transformers {transformers.__version__}"
            said = f"is of the type {kind!r}, which {reader} does not know; a newer one may"
        else:
            said = f"has a {CONFIG} that cannot be used: {reason(error)}"
        raise ModelError(f"{folder} {said}") from error


def read_config(folder: Path) -> dict[str, Any]:
    """The config of a model as it is written."""
    path = folder / CONFIG
    try:
        content = json.loads(path.read_bytes())
    except OSError as error:
        raise ModelError(
            f"{folder} is no model folder: it holds no {CONFIG}; give the folder that does"
        ) from error
    except ValueError as error:
        raise ModelError(f"{path} is damaged: it is no JSON; fetch it again") from error
    if not isinstance(content, dict):
        raise ModelError(f"{path} is damaged: it is no JSON object; fetch it again")
    if "transformers_weights" in content:
        raise ModelError(f"{path} names weights of its own; rename them to model.safetensors")
    return content


def config_hash(folder: Path) -> str:
    """A hash of all in the config that the model's answers may depend on."""
    content = read_config(folder)
    kept = {key: value for key, value in content.items() if key not in _BOOKKEEPING}
    return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()


def family_of(config: Any, folder: Path) -> Family:
    """The family of a model, or an error that says which head it lacks."""
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
    pretraining = ("ForMaskedLM", "ForPreTraining")  # ELECTRA's tells true tokens from false ones
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
        f"lacks a language-modelling head: it was saved as {named or kind}, which gives no "
        f"probabilities of tokens; use one that was saved as {needed}"
    )


def first_position(config: Any) -> int:
    """The position id of the first token."""
    return int(config.pad_token_id) + 1 if config.model_type in _PADDED_POSITIONS else 0


def context_of(config: Any) -> int | None:
    """How many tokens the model can read, None where there is no limit."""
    text = config.get_text_config()
    if getattr(text, "relative_attention_num_buckets", None) and config.is_encoder_decoder:
        return None
    limits = (getattr(text, name, None) for name in _LIMITS)
    limit = next((value for value in limits if isinstance(value, int) and value > 0), None)
    return None if limit is None else limit - first_position(config)

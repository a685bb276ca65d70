"""Finding out all that a model declares of itself, without loading its weights."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from horsesense.errors import ModelError
from horsesense.models.huggingface.files.architecture import (
    config_hash,
    context_of,
    family_of,
    first_position,
    load_config,
)
from horsesense.models.huggingface.files.habits import Habits, find_habits
from horsesense.models.huggingface.files.libraries import transformers_quietly
from horsesense.models.huggingface.files.weight_files import count_parameters
from horsesense.models.info import ModelInfo

# What depends on how a model is used.
_OPEN = {"name": "", "revision": "", "dtype": "", "device": ""}


def inspect_folder(
    folder: Path, weights: Sequence[Path], hashes: Sequence[str]
) -> tuple[ModelInfo, str]:
    """What the model in a folder declares, and its tokenizer as JSON.

    `hashes` are those of the weight files, in their order. What depends on how the model is
    used is left open: name, revision, dtype and device.
    """
    parameters = count_parameters(weights)
    with transformers_quietly() as transformers:
        config = load_config(folder, transformers)
        family = family_of(config, folder)
        habits = find_habits(folder, family, transformers)
    vocabulary = int(config.get_text_config().vocab_size)
    _check_vocabulary(folder, habits, vocabulary)
    declaration = ModelInfo(
        **_OPEN,
        family=family,
        architecture=_architecture(config),
        weights=_weights_hash(weights, hashes),
        tokenizer=hashlib.sha256(habits.content.encode()).hexdigest(),
        config=config_hash(folder),
        parameters=parameters,
        vocabulary=vocabulary,
        context=context_of(config),
        before=habits.before,
        after=habits.after,
        unknown=habits.unknown,
        mask=habits.mask,
        pad=_pad(config, habits),
        eos=habits.eos,
        sentinels=habits.sentinels,
        first_position=first_position(config),
    )
    return declaration, habits.content


def _pad(config: Any, habits: Habits) -> int | None:
    """The model's own, which decoders begin with; that of the tokenizer where it has none."""
    own = getattr(config, "pad_token_id", None)
    return own if isinstance(own, int) else habits.pad


def _architecture(config: Any) -> str:
    return str((config.architectures or [config.model_type])[0])


def _weights_hash(weights: Sequence[Path], hashes: Sequence[str]) -> str:
    """The hash of the only file, as other tools print it, or of the hashes of all."""
    if len(hashes) == 1:
        return hashes[0]
    lines = (f"{hash_}  {path.name}\n" for path, hash_ in zip(weights, hashes, strict=True))
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _check_vocabulary(folder: Path, habits: Habits, vocabulary: int) -> None:
    used = (*habits.before, *habits.after, *habits.sentinels, habits.mask or 0)
    if max(used) >= vocabulary:
        raise ModelError(
            f"the tokenizer of {folder} is not its own: it uses token {max(used)}, and the model "
            f"has {vocabulary}; put the tokenizer of this model there"
        )

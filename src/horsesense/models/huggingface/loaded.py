"""A model of transformers that is in memory already, such as one that is being fine-tuned.

It is known by its parameters as they are, so that nothing it says is taken for what the model on
disk would say, and it is left as it was found.
"""

from __future__ import annotations

import hashlib
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from horsesense.errors import ModelError
from horsesense.models.huggingface.inspection import (
    config_hash,
    context_of,
    family_of,
    find_tokenizer_traits,
    first_position,
    load_config,
)
from horsesense.models.huggingface.libraries import naming_model, transformers_quietly
from horsesense.models.huggingface.manifest import ModelFiles
from horsesense.models.huggingface.model import HuggingFaceModel
from horsesense.models.info import ModelInfo
from horsesense.models.loading import DEFAULT_BYTES
from horsesense.models.protocol import Answers
from horsesense.models.query import Query

_NO_FILES = ModelFiles(Path(), (), ())


def is_network(model: object) -> bool:
    """True for what looks like a model of transformers."""
    return all(hasattr(model, name) for name in ("config", "forward", "state_dict", "modules"))


def wrap_network(
    network: Any, tokenizer: Any, *, budget_bytes: int = DEFAULT_BYTES, batch: int | None = None
) -> HuggingFaceModel:
    """A loaded model with its tokenizer, as one that can be evaluated.

    Its name is that which it was loaded by, or that of its class.
    """
    if tokenizer is None:
        raise ModelError(
            "a loaded model needs its tokenizer: evaluate(model, tokenizer=tokenizer); or give the "
            "name or the folder that it was loaded from"
        )
    with naming_model(_name(network), "used", "give it with the tokenizer it was loaded with"):
        info, content = _inspected(network, tokenizer)
    return _LoadedModel(network, info, content, budget_bytes=budget_bytes, batch=batch)


class _LoadedModel(HuggingFaceModel):
    """A model without files: its network is given."""

    def __init__(self, network: Any, info: ModelInfo, tokenizer: str, **use: Any) -> None:
        super().__init__(info, tokenizer, _NO_FILES, **use)
        self._network = network

    def load_network(self) -> Any:
        """The network that was given."""
        return self._network

    def answer(
        self, queries: Sequence[Query], answered: Container[Query] = ()
    ) -> Iterator[Answers]:
        """Answer all queries, with nothing left to chance as it is in training."""
        with _evaluating(self._network):
            yield from super().answer(queries, answered)

    def answer_singly(self, query: Query) -> tuple[float, ...]:
        """Answer one query by itself."""
        with _evaluating(self._network):
            return super().answer_singly(query)


@contextmanager
def _evaluating(network: Any) -> Iterator[None]:
    """The network without dropout, and its parts in training again afterwards."""
    training = [part for part in network.modules() if part.training]
    network.eval()
    try:
        yield
    finally:
        for part in training:
            part.training = True


def _inspected(network: Any, tokenizer: Any) -> tuple[ModelInfo, str]:
    """What the model declares, and its tokenizer as JSON, found as for one that is saved."""
    name = _name(network)
    with TemporaryDirectory() as made, transformers_quietly() as transformers:
        folder = Path(made)
        try:
            _save(network, tokenizer, folder)
            config = load_config(folder, transformers)
            family = family_of(config, folder)
            traits = find_tokenizer_traits(folder, family, transformers)
        except ModelError as error:
            raise ModelError(str(error).replace(str(folder), name)) from error
        hashed = config_hash(folder)
    own_pad = getattr(config, "pad_token_id", None)
    info = ModelInfo(
        name=name,
        family=family,
        architecture=type(network).__name__,
        weights=_parameters_hash(network),
        tokenizer=hashlib.sha256(traits.content.encode()).hexdigest(),
        revision="",
        dtype=str(network.dtype).removeprefix("torch."),
        device=str(network.device),
        parameters=sum(part.numel() for part in network.parameters()),
        vocabulary=int(config.get_text_config().vocab_size),
        context=context_of(config),
        before=traits.before,
        after=traits.after,
        unknown=traits.unknown,
        mask=traits.mask,
        pad=own_pad if isinstance(own_pad, int) else traits.pad,
        eos=traits.eos,
        sentinels=traits.sentinels,
        first_position=first_position(config),
        config=hashed,
    )
    return info, traits.content


def _name(network: Any) -> str:
    return Path(getattr(network.config, "_name_or_path", "") or type(network).__name__).name


def _save(network: Any, tokenizer: Any, folder: Path) -> None:
    """All but the weights, as a hub would serve it."""
    config = deepcopy(network.config)
    config.architectures = [type(network).__name__]
    config.save_pretrained(folder)
    if not hasattr(tokenizer, "save_pretrained"):
        raise ModelError(
            f"{type(tokenizer).__name__} is no tokenizer of transformers; give that which "
            "AutoTokenizer loads for this model"
        )
    tokenizer.save_pretrained(folder)


def _parameters_hash(network: Any) -> str:
    """A hash of every number that the network computes with."""
    import torch

    digest = hashlib.sha256()
    for name, tensor in sorted(network.state_dict().items()):
        digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}\n".encode())
        plain = tensor.detach().cpu().contiguous().reshape(-1)
        digest.update(plain.view(torch.uint8).numpy().data)
    return digest.hexdigest()

"""The provider of models behind a server."""

from __future__ import annotations

from horsesense.models.loading import LoadOptions, ModelProvider
from horsesense.models.protocol import Model


def _load(name: str, options: LoadOptions) -> Model | None:
    return None


PROVIDER = ModelProvider("server", "models behind a server", _load)

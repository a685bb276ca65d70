"""The embedded default for tests: a real model, fetched once and kept in the cache for models."""

import pytest

from horsesense.errors import ModelError
from horsesense.models import EMBEDDED, load_model
from horsesense.models.huggingface.model import HuggingFaceModel


def embedded_default() -> HuggingFaceModel:
    """The model; the test is skipped where it cannot be had."""
    try:
        model = load_model(EMBEDDED)
    except ModelError as error:
        pytest.skip(f"the embedded default cannot be had: {error}")
    assert isinstance(model, HuggingFaceModel)
    return model

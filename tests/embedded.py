"""Load the embedded default for tests: a real model, downloaded once and kept in the cache."""

import pytest

from horsesense.errors import ModelError
from horsesense.models import EMBEDDED, load_model
from horsesense.models.huggingface.model import HuggingFaceModel


def embedded_default() -> HuggingFaceModel:
    """Load the model, or skip the test if that fails."""
    try:
        model = load_model(EMBEDDED)
    except ModelError as error:
        pytest.skip(f"the embedded default is not available: {error}")
    assert isinstance(model, HuggingFaceModel)
    return model

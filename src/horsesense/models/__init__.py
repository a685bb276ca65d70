"""Language models: what they declare of themselves, how they read, and what they answer.

The only home of torch and transformers. Neither is imported with this package, and not before
a model is asked or a folder is seen for the first time.
"""

from horsesense.errors import LibraryError
from horsesense.models.baselines import BaselineModel
from horsesense.models.declaration import Declaration
from horsesense.models.huggingface.engines.packing import plan_trees
from horsesense.models.huggingface.files.available import Available, available_models, size_on_disk
from horsesense.models.huggingface.files.embedded import remove_embedded
from horsesense.models.huggingface.files.locations import BASELINES, EMBEDDED, cache_folder
from horsesense.models.huggingface.model import HuggingFaceModel
from horsesense.models.loading import DTYPES, load_model
from horsesense.models.model import Answers, Baseline, LanguageModel, Model
from horsesense.models.observation import Family

__all__ = [
    "BASELINES",
    "DTYPES",
    "EMBEDDED",
    "Answers",
    "Available",
    "Baseline",
    "BaselineModel",
    "Declaration",
    "Family",
    "HuggingFaceModel",
    "LanguageModel",
    "LibraryError",
    "Model",
    "available_models",
    "cache_folder",
    "load_model",
    "plan_trees",
    "remove_embedded",
    "size_on_disk",
]

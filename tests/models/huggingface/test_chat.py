"""Chat models on this machine: their templates, their replies, and how they are found by name."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from horsesense.errors import ModelError, UnknownNameError, UnreadableError
from horsesense.models import (
    EMBEDDED,
    PROVIDERS,
    ChatModel,
    ChatRequest,
    Family,
    Message,
    Reply,
    available_models,
    is_local,
    load_model,
)
from horsesense.models.huggingface.chat import HuggingFaceChat, has_template
from tests.models.conftest import Folders
from tests.models.huggingface.gguf_file import write_gguf
from tests.plugins import installed

pytestmark = pytest.mark.usefixtures("model_cache", "no_network", "one_thread")

TEMPLATE = (
    "{% for message in messages %}{{ message.role }}: {{ message.content }}{{ eos_token }}"
    "{% endfor %}{% if add_generation_prompt %}assistant:{% endif %}"
)
REFUSING = "{{ raise_exception('no owls, please') }}"
OWLS = (Message("user", "Do owls hunt?"),)


@pytest.fixture
def chat_folder(own_folder: Folders) -> Callable[..., Path]:
    """Make the folder of a small model with a template."""

    def make(template: str | None = TEMPLATE, name: str = "llama") -> Path:
        folder = own_folder(name)
        if template is not None:
            (folder / "chat_template.jinja").write_text(template)
        return folder

    return make


def load(folder: Path | str) -> HuggingFaceChat:
    model = load_model(f"chat:{folder}")
    assert isinstance(model, HuggingFaceChat)
    return model


def replies_of(model: ChatModel, requests: Sequence[ChatRequest]) -> dict[ChatRequest, Reply]:
    return dict(pair for batch in model.ask(requests) for pair in batch)


def reply_of(model: ChatModel, request: ChatRequest) -> Reply:
    return replies_of(model, [request])[request]


def change(path: Path, **fields: object) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | fields))


def test_a_chat_model_shares_its_weights_with_the_language_model(
    chat_folder: Callable[..., Path],
) -> None:
    folder = chat_folder()
    chat, model = load(folder).info, load_model(str(folder)).info
    assert (chat.name, chat.family) == (f"chat:{folder}", Family.CHAT)
    assert (chat.weights, chat.dtype, chat.device) == (model.weights, "float32", "cpu")
    assert chat.fingerprint != model.fingerprint


def test_the_fingerprint_depends_on_all_that_shapes_a_conversation(
    chat_folder: Callable[..., Path],
) -> None:
    folder = chat_folder()
    prints = {load(folder).info.fingerprint}
    (folder / "chat_template.jinja").write_text(TEMPLATE.replace(":", ";"))
    prints.add(load(folder).info.fingerprint)
    change(folder / "tokenizer_config.json", eos_token="!")
    prints.add(load(folder).info.fingerprint)
    change(folder / "generation_config.json", eos_token_id=[50256, 13])
    prints.add(load(folder).info.fingerprint)
    assert len(prints) == 4


def test_a_conversation_is_rendered_by_the_template(chat_folder: Callable[..., Path]) -> None:
    model = load(chat_folder())
    assert model.template == TEMPLATE
    assert model.render(OWLS) == "user: Do owls hunt?<|endoftext|>assistant:"
    assert model.prompt_ids(OWLS).count(50256) == 1
    assert model.render(OWLS, is_open=False) == "user: Do owls hunt?<|endoftext|>"


def test_a_template_has_the_same_date_every_day(chat_folder: Callable[..., Path]) -> None:
    model = load(chat_folder("{{ strftime_now('%d %b %Y') }}"))
    assert model.render(OWLS) == "26 Jul 2024"


def test_a_template_is_rendered_in_a_sandbox(chat_folder: Callable[..., Path]) -> None:
    model = load(chat_folder("{{ ''.__class__.__mro__[1].__subclasses__() }}"))
    with pytest.raises(ModelError, match="unsafe"):
        model.render(OWLS)


def test_templates_are_read_from_where_transformers_reads_them(
    chat_folder: Callable[..., Path],
) -> None:
    folder = chat_folder(None)
    assert not has_template(folder)
    change(folder / "tokenizer_config.json", chat_template="one")
    assert load(folder).template == "one"
    named = [{"name": "tool_use", "template": "two"}, {"name": "default", "template": "three"}]
    change(folder / "tokenizer_config.json", chat_template=named)
    assert load(folder).template == "three"
    (folder / "chat_template.json").write_text('{"chat_template": "four"}')
    assert load(folder).template == "four"
    (folder / "chat_template.jinja").write_text("five")
    assert load(folder).template == "five"


def test_a_model_without_a_template_is_named_with_what_to_do(
    chat_folder: Callable[..., Path],
) -> None:
    folder = chat_folder(None)
    with pytest.raises(ModelError, match=r"has no chat template.*trained on instructions"):
        load(folder)


def test_only_causal_models_reply(chat_folder: Callable[..., Path]) -> None:
    folder = chat_folder(name="bert")
    with pytest.raises(ModelError, match="is a masked model; only causal models write text"):
        load(folder)


def test_a_template_may_refuse_a_conversation(chat_folder: Callable[..., Path]) -> None:
    model = load(chat_folder(REFUSING))
    with pytest.raises(ModelError, match="refuses a conversation of user: no owls, please"):
        reply_of(model, ChatRequest(OWLS, 2))


def test_settings_are_refused(chat_folder: Callable[..., Path]) -> None:
    model = load(chat_folder())
    with pytest.raises(ModelError, match=r'has no settings, but \{"seed":7\} was given'):
        reply_of(model, ChatRequest(OWLS, 2, settings='{"seed":7}'))


def test_special_tokens_in_a_message_are_refused(chat_folder: Callable[..., Path]) -> None:
    model = load(chat_folder())
    with pytest.raises(UnreadableError, match=r"does not read '<\|endoftext\|>' in"):
        reply_of(model, ChatRequest((Message("user", "owl<|endoftext|>"),), 2))


def test_a_conversation_must_fit_the_context(chat_folder: Callable[..., Path]) -> None:
    model = load(chat_folder())
    with pytest.raises(ModelError, match="reads at most 256 tokens, and a conversation has"):
        reply_of(model, ChatRequest((Message("user", "owl " * 300),), 2))
    almost = ChatRequest((Message("user", "owl " * 244),), 100)
    reply = reply_of(model, almost)
    assert reply.prompt_tokens is not None and reply.reply_tokens is not None
    assert reply.finish == "stop" or reply.prompt_tokens + reply.reply_tokens == 256


def test_a_reply_has_its_tokens_and_alternatives(chat_folder: Callable[..., Path]) -> None:
    reply = reply_of(model := load(chat_folder()), ChatRequest(OWLS, 4, top=3))
    assert reply.finish == "length" and reply.reply_tokens == 4
    assert reply.prompt_tokens == len(model.prompt_ids(OWLS))
    assert reply.prompt_tokens == model.count_prompt_tokens([ChatRequest(OWLS, 4)])
    assert "".join(token.text for token in reply.tokens) == reply.text
    for token in reply.tokens:
        assert token.alternatives[0] == (token.text, token.log_prob)
        assert len(token.alternatives) == 3


def test_a_reply_ends_where_the_files_say_so(chat_folder: Callable[..., Path]) -> None:
    folder = chat_folder()
    whole = load(folder)
    reply = reply_of(whole, ChatRequest(OWLS, 4))
    third = whole._ids("".join(token.text for token in reply.tokens))[2]
    change(folder / "generation_config.json", eos_token_id=[third])
    shorter = reply_of(load(folder), ChatRequest(OWLS, 4))
    assert shorter.finish == "stop" and shorter.reply_tokens == 3
    assert shorter.tokens == reply.tokens[:2]


def test_a_turn_ends_with_the_token_after_a_reply_in_the_template(
    chat_folder: Callable[..., Path],
) -> None:
    folder = chat_folder(TEMPLATE.replace("{{ eos_token }}", "<|turn|>"))
    content = json.loads((folder / "tokenizer.json").read_text())
    turn = {"id": 50000, "content": "<|turn|>", "special": True, "single_word": False}
    turn |= {"lstrip": False, "rstrip": False, "normalized": False}
    content["model"]["vocab"] = {
        ("<|turn|>" if number == 50000 else text): number
        for text, number in content["model"]["vocab"].items()
    }
    content["model"]["merges"] = [
        merge
        for merge in content["model"]["merges"]
        if "".join(merge if isinstance(merge, list) else merge.split(" "))
        in content["model"]["vocab"]
    ]
    content["added_tokens"].append(turn)
    (folder / "tokenizer.json").write_text(json.dumps(content))
    assert load(folder).stops == {50256, 50000}


def test_weights_are_released_and_loaded_again(chat_folder: Callable[..., Path]) -> None:
    model = load(chat_folder())
    assert model.batching == model.fallback_reason == ""
    first = reply_of(model, ChatRequest(OWLS, 3))
    assert model.batching == "tree"
    model.release()
    assert model.batching == ""
    assert reply_of(model, ChatRequest(OWLS, 3)) == first


def test_a_gguf_file_keeps_its_template(tmp_path: Path) -> None:
    path = write_gguf(tmp_path / "owl.gguf", template=TEMPLATE)
    model = load(path)
    assert model.template == TEMPLATE
    assert reply_of(model, ChatRequest((Message("user", "a goat"),), 2)).tokens


def test_a_chat_model_is_listed_beside_the_model(tmp_path: Path) -> None:
    load(write_gguf(tmp_path / "owl.gguf", template=TEMPLATE))
    names = [model.name for model in available_models() if model.kind == "from GGUF"]
    assert [name.startswith("chat:") for name in names] == [False, True]


def test_a_misspelled_name_gets_the_nearest() -> None:
    for function in (load_model, is_local):
        with pytest.raises(UnknownNameError, match="did you mean chat:smollm2-135m?"):
            function("chat:smollm2-135")


def test_baselines_do_not_reply() -> None:
    with pytest.raises(ModelError, match="random@7 is a baseline; leave out chat:"):
        load_model("chat:random@7")


def test_models_of_plug_ins_do_not_reply(tmp_path: Path) -> None:
    with (
        installed(tmp_path, PROVIDERS, "owls = tests.plugged:PROVIDER"),
        pytest.raises(ModelError, match="owl:first is a model of the plug-in owls"),
    ):
        load_model("chat:owl:first")


def test_a_model_on_this_machine_is_local(chat_folder: Callable[..., Path]) -> None:
    assert is_local(f"chat:{chat_folder()}")
    assert not is_local(f"chat:{EMBEDDED}") and not is_local("chat:barn/owl")

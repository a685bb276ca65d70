"""Every field of an answer, against a plain forward pass for each text."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest

from tests.web.conftest import Clients, Models
from tests.web.served import Client, Reference

References: TypeAlias = Callable[[str], Reference]

WITHOUT_BOS, WITH_BOS = "gpt2", "llama-bos"
BOS = 50256
TEXTS = (
    "The kite sank because it was heavy.",
    "The kite sank because it was light.",
    "Owls",
    " two  spaces, a tab\tand\na line",
    "crêpes – 鳶 🪁 naïve",
)
ROUNDING = 1e-4
each_model = pytest.mark.parametrize("name", [WITHOUT_BOS, WITH_BOS])
each_text = pytest.mark.parametrize("text", TEXTS)


def ids_of(models: Models, name: str, text: str) -> list[int]:
    return list(models(name).tokenize(text).ids)


@each_model
@each_text
def test_a_text_is_scored_like_by_a_plain_forward_pass(
    clients: Clients, models: Models, references: References, name: str, text: str
) -> None:
    ids = ids_of(models, name, text)
    (choice,) = clients(name).complete(text, return_token_ids=True)
    assert choice["prompt_token_ids"] == ids == references(name).tokenizer(text)["input_ids"]
    first, *scores = choice["logprobs"]["token_logprobs"]
    assert first is None
    assert scores == pytest.approx(references(name).scores(ids)[1:], abs=ROUNDING)
    assert choice["text"] == text
    assert choice["finish_reason"] == "length"
    assert choice["logprobs"]["top_logprobs"] is None


@each_model
@each_text
def test_ids_give_the_same_as_the_text(
    clients: Clients, models: Models, name: str, text: str
) -> None:
    (by_text,) = clients(name).complete(text, logprobs=3, max_tokens=1)
    (by_ids,) = clients(name).complete(ids_of(models, name, text), logprobs=3, max_tokens=1)
    for field in ("tokens", "token_logprobs", "top_logprobs"):
        assert by_text["logprobs"][field] == by_ids["logprobs"][field]


def test_a_text_gets_bos_as_the_tokenizer_does_and_ids_stay_as_they_are(
    clients: Clients, models: Models
) -> None:
    client, text = clients(WITH_BOS), TEXTS[0]
    ids = ids_of(models, WITH_BOS, text)
    assert ids[0] == BOS
    cases = {
        "text": client.complete(text, return_token_ids=True),
        "bare text": client.complete(text, add_special_tokens=False, return_token_ids=True),
        "ids": client.complete(ids, return_token_ids=True),
        "bare ids": client.complete(ids[1:], return_token_ids=True),
    }
    sent = {case: choice["prompt_token_ids"] for case, (choice,) in cases.items()}
    assert sent == {"text": ids, "bare text": ids[1:], "ids": ids, "bare ids": ids[1:]}
    scores = {case: choice["logprobs"]["token_logprobs"] for case, (choice,) in cases.items()}
    assert scores["text"] == scores["ids"] != scores["bare ids"] == scores["bare text"]
    assert scores["text"][1] is not None  # the first word, after BOS


@each_model
def test_several_prompts_are_answered_in_order(clients: Clients, models: Models, name: str) -> None:
    client = clients(name)
    single = [client.complete(text)[0] for text in TEXTS]
    by_ids = client.complete([ids_of(models, name, text) for text in TEXTS])
    for choices in (client.complete(list(TEXTS)), by_ids):
        assert [choice["index"] for choice in choices] == list(range(len(TEXTS)))
        for choice, alone in zip(choices, single, strict=True):
            assert choice["logprobs"]["tokens"] == alone["logprobs"]["tokens"]
            scores = choice["logprobs"]["token_logprobs"]
            assert scores[1:] == pytest.approx(
                alone["logprobs"]["token_logprobs"][1:], abs=ROUNDING
            )


@each_model
@each_text
@pytest.mark.parametrize("count", [1, 5])
def test_the_alternatives_are_the_most_probable_tokens_and_the_token_itself(
    clients: Clients, models: Models, references: References, name: str, text: str, count: int
) -> None:
    ids = ids_of(models, name, text)
    (choice,) = clients(name).complete(text, logprobs=count)
    written = choice["logprobs"]["tokens"]
    first, *rest = choice["logprobs"]["top_logprobs"]
    assert first is None
    for at, top in enumerate(rest):
        row = references(name).log_probs(tuple(ids))[at]
        ranking = references(name).ranking(ids, at, count)
        expected = [row[token] for token in dict.fromkeys([*ranking, ids[at + 1]])]
        assert [*top.values()] == pytest.approx(expected, abs=ROUNDING)
        assert top[written[at + 1]] == choice["logprobs"]["token_logprobs"][at + 1]


@each_model
@each_text
def test_the_generated_token_is_the_most_probable_one(
    clients: Clients, models: Models, references: References, name: str, text: str
) -> None:
    ids = ids_of(models, name, text)
    (best,) = references(name).ranking(ids, len(ids) - 1, 1)
    client = clients(name)
    (choice,) = client.complete(text, max_tokens=1, logprobs=2, return_token_ids=True)
    (scored,) = client.complete(text)
    (bare,) = client.complete(text, max_tokens=1, logprobs=2, echo=False)
    assert choice["token_ids"] == [best]
    *prompt, generated = choice["logprobs"]["token_logprobs"]
    assert prompt[1:] == pytest.approx(scored["logprobs"]["token_logprobs"][1:], abs=ROUNDING)
    assert generated == pytest.approx(
        references(name).log_probs(tuple(ids))[-1][best], abs=ROUNDING
    )
    assert generated == max(choice["logprobs"]["top_logprobs"][-1].values())
    for field, values in bare["logprobs"].items():
        assert len(values) == 1
        if field != "text_offset":
            assert values == choice["logprobs"][field][-1:]
    assert choice["text"] == text + bare["text"]


def test_the_end_of_the_text_is_a_token_without_text(
    clients: Clients, models: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = clients(WITHOUT_BOS)
    (choice,) = client.complete(TEXTS[0], max_tokens=1, return_token_ids=True)
    assert choice["finish_reason"] == "length"
    (end,) = choice["token_ids"]
    object.__setattr__(models(WITHOUT_BOS).info, "eos", end)
    try:
        (choice,) = client.complete(TEXTS[0], max_tokens=1)
    finally:
        object.__setattr__(models(WITHOUT_BOS).info, "eos", BOS)
    assert (choice["text"], choice["finish_reason"]) == (TEXTS[0], "stop")
    assert len(choice["logprobs"]["tokens"]) == len(ids_of(models, WITHOUT_BOS, TEXTS[0])) + 1


@each_model
@each_text
def test_tokens_stand_where_their_offsets_say(
    clients: Clients, models: Models, name: str, text: str
) -> None:
    (choice,) = clients(name).complete(text)
    tokenization = models(name).tokenize(text)
    for at, offset in enumerate(choice["logprobs"]["text_offset"]):
        token = choice["logprobs"]["tokens"][at]
        if tokenization.words[at] is not None and not token.startswith("bytes:"):
            assert text[offset:].startswith(token)
    if name == WITHOUT_BOS:
        (by_ids,) = clients(name).complete(list(tokenization.ids))
        assert by_ids["text"] == text
        assert by_ids["logprobs"]["text_offset"] == choice["logprobs"]["text_offset"]


def test_part_of_a_character_is_written_as_its_bytes(clients: Clients) -> None:
    (choice,) = clients(WITHOUT_BOS).complete("🪁")
    parts = choice["logprobs"]["tokens"]
    assert all(part.startswith("bytes:") for part in parts)
    numbers = "".join(part.removeprefix("bytes:") for part in parts).split(r"\x")[1:]
    assert bytes(int(number, 16) for number in numbers) == "🪁".encode()
    assert choice["logprobs"]["text_offset"] == [0] * len(parts)


def test_tokens_can_be_written_as_ids(clients: Clients, models: Models) -> None:
    (choice,) = clients(WITHOUT_BOS).complete(TEXTS[0], return_tokens_as_token_ids=True)
    ids = ids_of(models, WITHOUT_BOS, TEXTS[0])
    assert choice["logprobs"]["tokens"] == [f"token_id:{token}" for token in ids]


def test_prompt_logprobs_are_listed_by_id_with_their_ranks(
    clients: Clients, models: Models, references: References
) -> None:
    ids = ids_of(models, WITHOUT_BOS, TEXTS[0])
    (choice,) = clients(WITHOUT_BOS).complete(
        TEXTS[0], echo=False, logprobs=None, prompt_logprobs=2
    )
    assert choice["logprobs"] is None and choice["text"] == ""
    first, *rest = choice["prompt_logprobs"]
    assert first is None and len(rest) == len(ids) - 1
    for at, row in enumerate(rest):
        expected = references(WITHOUT_BOS).log_probs(tuple(ids))[at]
        ranking = references(WITHOUT_BOS).ranking(ids, at, 2)
        assert set(row) == {str(token) for token in (*ranking, ids[at + 1])}
        for token, entry in row.items():
            assert entry["logprob"] == pytest.approx(expected[int(token)], abs=ROUNDING)
        assert [row[str(token)]["rank"] for token in ranking] == [1, 2]


def test_without_alternatives_prompt_logprobs_hold_the_tokens_alone(
    clients: Clients, models: Models
) -> None:
    (choice,) = clients(WITHOUT_BOS).complete(TEXTS[0], prompt_logprobs=0)
    ids = ids_of(models, WITHOUT_BOS, TEXTS[0])
    scores = [
        row and {int(token): entry["logprob"] for token, entry in row.items()}
        for row in choice["prompt_logprobs"]
    ]
    listed = zip(ids, choice["logprobs"]["token_logprobs"], strict=True)
    assert scores == [value and {token: value} for token, value in listed]


def test_a_request_for_no_numbers_gets_none(clients: Clients) -> None:
    (choice,) = clients(WITHOUT_BOS).complete(TEXTS[0], logprobs=None)
    assert (choice["text"], choice["logprobs"]) == (TEXTS[0], None)


def test_a_prompt_of_one_token_has_no_log_probability(clients: Clients) -> None:
    (choice,) = clients(WITHOUT_BOS).complete([300], logprobs=2)
    assert choice["logprobs"]["token_logprobs"] == [None]
    assert choice["logprobs"]["top_logprobs"] == [None]


def test_tokens_are_counted(clients: Clients, models: Models) -> None:
    client = clients(WITH_BOS)
    read = sum(len(ids_of(models, WITH_BOS, text)) for text in TEXTS)
    fields = {"model": client.name, "prompt": list(TEXTS), "max_tokens": 1}
    answer = client.post("/v1/completions", **fields).json()
    assert answer["usage"] == {
        "prompt_tokens": read,
        "completion_tokens": len(TEXTS),
        "total_tokens": read + len(TEXTS),
    }
    assert answer["object"] == "text_completion" and answer["model"] == client.name
    assert answer["id"] != client.post("/v1/completions", **fields).json()["id"]


def test_a_context_may_be_filled_to_the_last_token(clients: Clients) -> None:
    client: Client = clients(WITHOUT_BOS)
    (choice,) = client.complete([300] * 256)
    assert len(choice["logprobs"]["tokens"]) == 256
    (choice,) = client.complete([300] * 255, max_tokens=1)
    assert len(choice["logprobs"]["tokens"]) == 256

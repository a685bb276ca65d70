"""Conversations as `score --explain`, `why` and `doctor` show them, by the embedded default."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from horsesense.models import EMBEDDED
from horsesense.store import Store
from tests.cli.conftest import Run
from tests.cli.kept import Ask, asking, printed, run_quay
from tests.embedded import embedded_default

CHAT = f"chat:{EMBEDDED}"
STOVE = "a kettle <can, cannot> boil on a {hot, cold} stove"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a run of the embedded default as a chat model."""
    embedded_default()
    folder = tmp_path_factory.mktemp("chat")
    run_quay(folder, CHAT, "longer", methods=("letter", "judge"), perturbations=("none",))
    return folder / "store.db"


@pytest.fixture
def ask(kept: Path) -> Ask:
    """The commands on that store."""
    return asking(kept)


def conversations(explained: Any) -> dict[str, Any]:
    return {each["method"]: each for each in explained["explanation"]["conversations"]}


def test_why_shows_the_messages_the_reply_and_how_it_was_read(ask: Ask) -> None:
    result = ask("why", "rope.1", "--model", CHAT, "--method", "letter")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith(f"{CHAT} (chat) in run ")
    for part in ("letter, question 1 of 2", "letter, question 2 of 2", "user  ", "reply  "):
        assert part in result.stdout
    assert "read as" in result.stdout and "(finish: " in result.stdout
    assert "judge, question" not in result.stdout
    assert result.stderr == ""


def test_why_gives_programs_the_conversations_of_all_methods(ask: Ask) -> None:
    shown = printed(ask("why", "rope.1", "--model", CHAT, "--json"))
    assert shown["tokens_from"] == "the store"
    (problem,) = shown["problems"]
    by_method = conversations(problem)
    assert {name: len(each["exchanges"]) for name, each in by_method.items()} == {
        "letter": 2,
        "judge": 4,
    }
    exchange = by_method["letter"]["exchanges"][0]
    assert [message["role"] for message in exchange["messages"]] == ["user"]
    assert "A. Nora" in exchange["messages"][0]["content"]
    assert exchange["reply"] and exchange["finish"] in ("stop", "length")
    assert exchange["shown"] == ["A. Nora", "B. Lena"]
    assert (exchange["written"] is None) == (exchange["fault"] is not None)


def test_what_is_shown_is_what_was_decided(ask: Ask) -> None:
    for name in ("rope", "meal", "ladder", "hose", "pot"):
        for problem in printed(ask("why", name, "--model", CHAT, "--json"))["problems"]:
            for method, conversation in conversations(problem).items():
                outcome = problem["methods"][method]
                is_undecided = conversation["summary"].startswith("undecided: ")
                assert is_undecided == (outcome["chosen"] is None)
                if not is_undecided:
                    chosen = problem["options"][outcome["chosen"]]
                    assert conversation["summary"].startswith(f"“{chosen}”: ")


def test_without_its_replies_a_run_says_what_is_missing(kept: Path, tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    store.write_bytes(kept.read_bytes())
    with Store.open(store) as opened, opened.writing() as connection:
        connection.execute("DELETE FROM reply")
    result = asking(store)("why", "rope.1", "--model", CHAT)
    assert result.exit_code == 0
    assert "messages and replies cannot be shown: 6 of 6 answers are no longer" in result.stderr


def test_score_explains_by_conversations(run: Run) -> None:
    embedded_default()
    result = run("score", "--model", CHAT, STOVE, "--method", "letter", "--explain")
    assert result.exit_code == 0
    assert "Each question is shown with its exact messages" in result.stdout
    assert result.stdout.count("letter, question 1 of 2") == 2
    assert "A kettle ___ boil on a cold stove." in result.stdout
    shown = printed(run("score", "--model", CHAT, STOVE, "--explain", "--json"))
    assert {"letter", "judge"} <= conversations(shown["problems"][0]).keys()


def test_the_doctor_asks_a_chat_model(run: Run) -> None:
    embedded_default()
    result = run("doctor", CHAT)
    assert result.exit_code == 0
    checks = [line[2:20].strip() for line in result.stdout.splitlines() if line[0] != " "]
    assert checks == [
        *("context", "memory", "template", "reply", "probabilities", "letters", "canaries"),
        *("repetition", "batching", "speed"),
    ]


def test_a_chat_model_is_shown_without_the_texts_of_its_tokens(run: Run) -> None:
    embedded_default()
    assert f"name            {CHAT}" in run("model", "show", CHAT).stdout

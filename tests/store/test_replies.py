import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.errors import ModelError, StoreError
from horsesense.models import ChatRequest, Message, Replies, Reply, ReplyToken
from horsesense.store import (
    QueryRun,
    Store,
    check_store,
    count_kept,
    fingerprints_of,
    forget_replies,
    keep_answers,
    keep_replies,
    keep_run,
    load_replies,
    load_run,
    prune,
    repair_store,
    salvage_store,
    verify_runs,
)
from horsesense.store.migrations import STEPS, migrate
from horsesense.store.replies import as_stored
from tests.evaluation.inference.stand_in import declared
from tests.results.awkward import awkward_profile, without_servers
from tests.store import processes
from tests.store.builders import change, findings, put_back, query, row_counts
from tests.store.test_bad_places import ordinary_user
from tests.store.test_observations import KITE, answered

MODEL = declared(name="parrot", server="vllm 0.32.0")
RUN = QueryRun("one", "parrot", "2026-01-01T00:00:00+00:00", "0.1", "", "", "", "")
TOKEN = ReplyToken("B", -0.5, (("B", -0.5), ("A", -1 / 3)))
REPLY = Reply("B.", "stop", (TOKEN, ReplyToken(".", 0.0)), 20, 2, "hm")


def request(question: str, settings: str = "{}") -> ChatRequest:
    return ChatRequest((Message("user", question),), 8, 20, settings)


OWL, FOX = request("Do owls hunt?"), request("Do foxes sing?")


def keep(
    store: Store, *requests: ChatRequest, reply: Reply = REPLY, run: QueryRun = RUN
) -> Replies:
    return keep_replies(store, MODEL, run, [(each, reply) for each in requests])


def load(store: Store, *requests: ChatRequest) -> dict[ChatRequest, Reply]:
    return load_replies(store, MODEL.fingerprint, requests).replies


TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
LOG_PROBS = st.floats(max_value=0, allow_infinity=False)
TOKENS = st.builds(
    ReplyToken, TEXTS, LOG_PROBS, st.lists(st.tuples(TEXTS, LOG_PROBS), max_size=3).map(tuple)
)
COUNTS = st.none() | st.integers(0, 2**40)


@given(
    st.builds(Reply, TEXTS, TEXTS, st.lists(TOKENS, max_size=3).map(tuple), COUNTS, COUNTS, TEXTS)
)
def test_a_reply_comes_back_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, reply: Reply
) -> None:
    with Store.create_or_open(tmp_path_factory.mktemp("store") / "store.db") as store:
        assert keep(store, OWL, reply=reply) == [(OWL, reply)]
        assert load(store, OWL, FOX) == {OWL: reply}


def test_halves_of_characters_are_replaced(fresh_store: Store) -> None:
    half = Reply("\ud83e", "stop", (ReplyToken("\ud83e", -1.0, (("\udd89", -1.0),)),))
    kept = keep(fresh_store, OWL, reply=half)
    replaced = Reply("\ufffd", "stop", (ReplyToken("\ufffd", -1.0, (("\ufffd", -1.0),)),))
    assert kept == [(OWL, replaced)] and load(fresh_store, OWL) == {OWL: replaced}
    assert as_stored(Reply("\ud83e\udd89", "stop")).text == "\N{OWL}"


@pytest.mark.parametrize("log_prob", [float("nan"), float("-inf"), float("inf"), 0.01])
def test_nothing_of_a_batch_with_an_impossible_reply_is_stored(
    fresh_store: Store, log_prob: float
) -> None:
    wrong = Reply("A", "stop", (ReplyToken("A", -1.0, (("B", log_prob),)),))
    with pytest.raises(ModelError, match="of 'B' in a reply is"):
        keep_replies(fresh_store, MODEL, RUN, [(FOX, REPLY), (OWL, wrong)])
    assert row_counts(fresh_store.path)["reply"] == 0


def test_replies_of_one_model_are_not_those_of_another(fresh_store: Store) -> None:
    keep(fresh_store, OWL)
    other = replace(MODEL, server="vllm 0.33.0").fingerprint
    assert load_replies(fresh_store, other, [OWL]) == ({}, ())


def test_requests_that_differ_only_in_the_spelling_of_settings_share_a_reply(
    fresh_store: Store,
) -> None:
    plain, spaced = request("Why?", '{"seed":1}'), request("Why?", '{"seed": 1}')
    assert keep(fresh_store, plain, spaced) == [(plain, REPLY), (spaced, REPLY)]
    assert load(fresh_store, spaced, plain) == {plain: REPLY, spaced: REPLY}


def test_the_first_reply_stays_and_is_what_a_later_process_gets(fresh_store: Store) -> None:
    keep(fresh_store, OWL)
    later = keep(fresh_store, FOX, OWL, reply=Reply("A", "stop"))
    assert later == [(FOX, Reply("A", "stop")), (OWL, REPLY)]
    assert load(fresh_store, OWL, FOX) == dict(later)


def test_a_batch_is_kept_although_the_row_it_meets_is_damaged(fresh_store: Store) -> None:
    keep(fresh_store, OWL)
    change(fresh_store.path, "UPDATE reply SET checksum = ''")
    assert keep(fresh_store, OWL, reply=Reply("A", "stop")) == [(OWL, Reply("A", "stop"))]


def test_the_server_of_a_model_is_recorded(fresh_store: Store) -> None:
    keep(fresh_store, OWL)
    assert query(fresh_store.path, "SELECT name, server FROM model") == [("parrot", "vllm 0.32.0")]


TAMPERING = [
    "UPDATE reply SET key = 'x' || key",
    "UPDATE reply SET request = replace(request, 'owls', 'cats')",
    "UPDATE reply SET reply = replace(reply, 'B.', 'A.')",
    "UPDATE reply SET reply = x'00ff'",
    "UPDATE reply SET replied_at = '2020-01-01T00:00:00+00:00'",
    "UPDATE reply SET checksum = ''",
]


@pytest.mark.parametrize("tampering", TAMPERING)
def test_a_damaged_reply_is_not_used(fresh_store: Store, tampering: str) -> None:
    keep(fresh_store, OWL)
    change(fresh_store.path, tampering)
    assert load(fresh_store, OWL) == {}
    assert [pruned.rows for pruned in prune(fresh_store, damaged=True, dry_run=True)] == [1]


@pytest.mark.parametrize("content", ["broken", "{}", '{"text":"B"}', "[]", '{"text":1,"tokens":2}'])
def test_what_is_not_a_reply_is_not_used_whatever_its_checksum(
    fresh_store: Store, content: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Reply, "content", content)
        keep(fresh_store, OWL)
    assert load_replies(fresh_store, MODEL.fingerprint, [OWL]) == ({}, (OWL.key,))


def test_damaged_replies_can_be_forgotten_and_asked_for_again(fresh_store: Store) -> None:
    keep(fresh_store, OWL, FOX)
    change(fresh_store.path, "UPDATE reply SET checksum = '' WHERE request LIKE '%owl%'")
    damaged = load_replies(fresh_store, MODEL.fingerprint, [OWL, FOX]).damaged
    assert damaged == (OWL.key,)
    forget_replies(fresh_store, MODEL.fingerprint, damaged)
    assert load(fresh_store, OWL, FOX) == {FOX: REPLY}
    keep(fresh_store, OWL, reply=Reply("A", "stop"))
    assert load(fresh_store, OWL) == {OWL: Reply("A", "stop")}


def test_more_replies_than_fit_in_one_query_are_loaded(fresh_store: Store) -> None:
    requests = [request(f"Do {number} owls hunt?") for number in range(2500)]
    keep(fresh_store, *requests)
    assert set(load(fresh_store, *requests)) == set(requests)


def test_nothing_is_kept_in_a_store_that_cannot_be_written_to(
    fresh_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fresh_store, "is_read_only", True)
    with pytest.raises(StoreError, match="cannot be written to"):
        keep(fresh_store, OWL)


def test_a_store_of_the_step_before_gets_the_table(store_path: Path) -> None:
    with closing(sqlite3.connect(store_path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        migrate(connection, STEPS[:7])
    assert "reply" not in row_counts(store_path)
    with Store.open(store_path) as store:
        keep(store, OWL)
        assert load(store, OWL) == {OWL: REPLY}


def test_replies_are_counted_beside_observations(fresh_store: Store) -> None:
    keep(fresh_store, OWL, FOX)
    keep(fresh_store, request("Why?"), reply=replace(REPLY, reply_tokens=None))
    keep_answers(fresh_store, MODEL, RUN, answered(KITE))
    change(fresh_store.path, "UPDATE reply SET checksum = '' WHERE request LIKE '%owl%'")
    counts = count_kept(fresh_store)
    assert [(each.method, each.rows, each.tokens, each.damaged) for each in counts] == [
        ("causal", 1, 2, 0),
        ("chat", 3, 4, 1),
    ]
    assert all(each.bytes > 100 and each.first_at <= each.last_at for each in counts)


def test_a_model_of_replies_is_known_by_its_names(fresh_store: Store) -> None:
    keep(fresh_store, OWL, run=replace(RUN, id="two", name="renamed"))
    assert fingerprints_of(fresh_store, "renamed") == (MODEL.fingerprint,)


@pytest.mark.parametrize(
    "chosen, left",
    [
        ({}, 0),
        ({"fingerprints": (MODEL.fingerprint,)}, 1),
        ({"before": "2020-01-01"}, 3),
        ({"before": "2999-01-01"}, 0),
        ({"damaged": True}, 3),
    ],
)
def test_pruning_removes_replies_that_meet_all_conditions(
    fresh_store: Store, chosen: dict[str, Any], left: int
) -> None:
    keep(fresh_store, OWL, FOX)
    other = declared(name="other", dtype="bfloat16")
    keep_replies(fresh_store, other, replace(RUN, id="two"), [(OWL, REPLY)])
    removed = prune(fresh_store, **chosen, dry_run=True)
    assert prune(fresh_store, **chosen) == removed
    counts = row_counts(fresh_store.path)
    assert counts["reply"] == left and sum(each.rows for each in removed) == 3 - left
    assert counts["model"] == counts["asking"] == {0: 0, 1: 1, 3: 2}[left]


def test_pruning_observations_leaves_a_model_that_only_has_replies(fresh_store: Store) -> None:
    """Its session, too, although no observation refers to it."""
    keep(fresh_store, OWL)
    other = declared(dtype="bfloat16")
    keep_answers(fresh_store, other, replace(RUN, id="two"), answered(KITE))
    prune(fresh_store, fingerprints=(other.fingerprint,))
    assert load(fresh_store, OWL) == {OWL: REPLY}
    assert row_counts(fresh_store.path)["asking"] == 1


def parts(store: Store) -> dict[str, str]:
    return {each.part: each.state.value for each in check_store(store)}


@pytest.mark.parametrize("tampering", TAMPERING)
def test_damaged_replies_are_reported_and_repaired(store_path: Path, tampering: str) -> None:
    with Store.create_or_open(store_path) as store:
        keep(store, OWL)
        assert parts(store)["answers of parrot"] == "sound"
    change(store_path, tampering)
    with Store.open_damaged(store_path) as store:
        (finding,) = [each for each in check_store(store) if each.part == "answers of parrot"]
        assert finding.findings == ("1 of 1 answers do not match their checksums",)
        assert repair_store(store).done == (
            "removed: 1 damaged answers of parrot; they are queried again",
        )
        assert parts(store)["answers of parrot"] == "sound"
        assert load(store, OWL) == {} and row_counts(store_path)["reply"] == 0


def test_a_lost_session_of_replies_is_recreated(store_path: Path) -> None:
    with Store.create_or_open(store_path) as store:
        keep(store, OWL)
    with closing(sqlite3.connect(store_path)) as connection, connection:
        connection.execute("DELETE FROM asking")
    with Store.open_damaged(store_path) as store:
        (done,) = repair_store(store).done
        assert done.startswith("recreated, without its details: the record 1 of a session")
        assert load(store, OWL) == {OWL: REPLY}
        assert set(parts(store).values()) == {"sound"}


def test_a_damaged_session_of_replies_is_emptied_and_its_replies_kept(store_path: Path) -> None:
    with Store.create_or_open(store_path) as store:
        keep(store, OWL)
    change(store_path, "UPDATE asking SET horsesense = '7'")
    with Store.open_damaged(store_path) as store:
        assert "its answers are kept" in repair_store(store).done[0]
        assert load(store, OWL) == {OWL: REPLY}
    ((started,),) = query(store_path, "SELECT started_at FROM asking")
    assert started == query(store_path, "SELECT replied_at FROM reply")[0][0]


def test_replies_of_a_lost_model_are_removed(store_path: Path) -> None:
    with Store.create_or_open(store_path) as store:
        keep(store, OWL)
    with closing(sqlite3.connect(store_path)) as connection, connection:
        connection.execute("DELETE FROM model")
    with Store.open_damaged(store_path) as store:
        assert repair_store(store).done == ("removed: 1 orphaned rows of the table asking",)
        assert set(parts(store).values()) == {"sound"}
    assert row_counts(store_path)["reply"] == 0


def test_a_copy_of_a_damaged_store_has_its_replies(store_path: Path) -> None:
    with Store.create_or_open(store_path) as store:
        keep(store, OWL)
    copy = salvage_store(store_path).copy
    assert copy is not None
    with Store.open(copy) as store:
        assert load(store, OWL) == {OWL: REPLY}


def test_two_processes_store_the_same_replies_at_once_and_get_the_same(store_path: Path) -> None:
    Store.create_or_open(store_path).__exit__(None, None, None)
    writers = [processes.start("keep-replies", store_path, name, 40) for name in ("A", "B")]
    outputs = [processes.finish(process, "go\n") for process in writers]
    assert outputs[0][-1] == outputs[1][-1]
    with Store.open(store_path) as store:
        kept = load(store, *processes.requests(40))
        assert len(kept) == 40 and findings(store) == []
        assert "".join(reply.text for reply in kept.values()) == outputs[0][-1]


def test_replies_of_a_killed_process_are_there_batch_by_batch(store_path: Path) -> None:
    Store.create_or_open(store_path).__exit__(None, None, None)
    process = processes.start("keep-replies", store_path, "A", 2000)
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write("go\n")
    process.stdin.flush()
    while process.stdout.readline() != "batch 10\n":
        pass
    process.kill()
    process.communicate()
    with Store.open(store_path) as store:
        kept = load(store, *processes.requests(2000))
        assert len(kept) >= 11 * processes.BATCH and len(kept) % processes.BATCH == 0
        assert findings(store) == [] and set(parts(store).values()) == {"sound"}


def test_a_batch_that_a_full_disk_refuses_can_be_stored_later(store_path: Path) -> None:
    Store.create_or_open(store_path).__exit__(None, None, None)
    refused, left, after = processes.finish(processes.start("limit-replies", store_path, 400_000))
    assert refused.startswith("refused: ") and "the disk may be full" in refused
    assert left.startswith("kept ") and int(left.split()[1]) % processes.BATCH == 0
    assert 0 < int(left.split()[1]) < 2000 and after == "kept 2000"


@pytest.fixture
def former() -> Iterator[Path]:
    """A store of the step before, in a folder that cannot be written to."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "store.db"
        with Store.create_or_open(path) as store:
            keep_run(store, without_servers(awkward_profile()))
            keep_answers(store, declared(), RUN, answered(KITE))
        put_back(path, 7)
        folder.chmod(0o555)
        yield path
        folder.chmod(0o755)


def test_a_store_of_the_step_before_is_read_where_it_cannot_be_written_to(former: Path) -> None:
    before = former.read_bytes()
    with ordinary_user(), Store.open(former) as store:
        assert store.is_read_only
        assert load_run(store) == without_servers(awkward_profile())
        assert list(verify_runs(store).values()) == [[]]
        assert [each.method for each in count_kept(store)] == ["causal"]
        assert load(store, OWL) == {}
        assert "damaged" not in parts(store).values()
        with pytest.raises(StoreError, match="cannot be written to"):
            keep(store, OWL)
    assert former.read_bytes() == before


def test_a_store_of_an_earlier_step_needs_to_be_writable_once(former: Path) -> None:
    former.parent.chmod(0o755)
    put_back(former, 6)
    former.parent.chmod(0o555)
    with ordinary_user(), pytest.raises(StoreError, match="cannot be written to"):
        Store.open(former)


def test_ten_thousand_replies_with_alternatives_are_loaded_within_three_seconds(
    fresh_store: Store,
) -> None:
    alternatives = tuple((f" word {number}", -number / 7) for number in range(20))
    reply = Reply("B.", "stop", (ReplyToken("B", -0.5, alternatives),), 80, 2)
    requests = [request(f"Do {number} owls hunt? " * 20) for number in range(10_000)]
    keep(fresh_store, *requests, reply=reply)
    started = time.process_time()
    assert len(load(fresh_store, *requests)) == len(requests)
    assert time.process_time() - started < 3

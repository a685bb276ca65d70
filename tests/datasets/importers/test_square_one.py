import json
from typing import Any

import pytest

from horsesense.datasets.importers.formats.square_one import FORMAT, FORMAT_ZERO_SHOT
from horsesense.datasets.importers.reading import FileImport
from horsesense.datasets.importers.source import SourceFile
from horsesense.datasets.recovery import Journal
from horsesense.errors import ImportFaults
from horsesense.schema import Header
from tests.datasets.importers.imported import claimed, imported, published

PLACE = "winograd_square_one"


def rows(*given: dict[str, Any]) -> str:
    return "\n".join(map(json.dumps, given))


def row(
    name: str, sentence: str, answer: str | None, pair: object = 4, **more: Any
) -> dict[str, Any]:
    made = {"qID": name, "sentence": sentence, "option1": "lorry", "option2": "bridge", **more}
    if answer is not None:
        made["answer"] = answer
    return made if pair is None else {**made, "pair_id": pair}


HIGH = row("q-1", "The lorry hit the bridge because the _ was too high.", "1")
LOW = row("q-2", "The lorry hit the bridge because the _ was too low.", "2")


def keyed(candidate: str, answer: str, **more: Any) -> dict[str, Any]:
    sentence = f"The lorry hit the bridge because the {candidate} was too _."
    return row(f"q-{answer}", sentence, answer, option1="high", option2="low", **more)


def test_twins_are_found_by_their_pair_id_in_any_order() -> None:
    other = row("q-9", "The lorry was _.", "2", pair=5)
    read = imported(FORMAT, rows(LOW, other, HIGH))
    assert read.grids == {
        "4": "The [lorry] hit the [bridge] because the <_ = lorry, bridge> was too {high, low}.",
        "5": "The [lorry] was <_ = lorry, bridge*>.",
    }
    assert dict(read.entries[0].extras) == {"x-problems": "q-1, q-2"}
    assert [(i.kind, i.name, i.line, i.problem) for i in read.issues] == [
        ("oddity", "no-twin", 2, "q-9"),
        ("oddity", "candidate-missing", 2, "q-9"),
    ]


def test_problems_without_labels_are_a_loose_pair() -> None:
    unlabelled = [{k: v for k, v in one.items() if k != "answer"} for one in (HIGH, LOW)]
    assert imported(FORMAT, rows(*unlabelled)).grids == {
        "4": "The [lorry] hit the [bridge] because the <? _ = lorry, bridge> was too high.\n"
        "& The [lorry] hit the [bridge] because the <? _ = lorry, bridge> was too low."
    }


def test_without_pair_ids_the_twins_of_the_wsc_are_neighbours() -> None:
    lone = row("wsc2", "Nora lent a ladle to Lena, and _ came back.", "1", pair=None)
    given = rows({**HIGH, "qID": "wsc0"} | {"pair_id": None}, {**LOW, "qID": "wsc1"}, lone)
    given = given.replace(', "pair_id": 4', "")
    assert set(imported(FORMAT, given).grids) == {"wsc0", "wsc2"}


def test_deleted_candidates_leave_text_that_is_only_trimmed() -> None:
    high, low = (
        {**one, "sentence": one["sentence"].replace("The lorry hit the bridge", " hit the")}
        for one in (HIGH, LOW)
    )
    read = imported(FORMAT, rows(high, low))
    assert read.grids == {"4": "! hit the because the <_ = lorry, bridge> was too {high, low}."}
    assert read.told == {"exterior-whitespace": 2, "candidate-missing": 2}


def test_a_transformed_file_holds_schemas_with_key_and_answer_in_their_roles() -> None:
    read = imported(FORMAT, rows(keyed("bridge", "2"), keyed("lorry", "1")))
    assert read.grids == {
        "4": "The lorry hit the bridge because the <_ = lorry, bridge> was too {high, low}."
    }
    assert dict(read.entries[0].extras) == {"x-problems": "q-1, q-2"}
    assert [(i.kind, i.name, i.line) for i in read.issues] == [
        ("oddity", "solved-by-key", 0),
        ("step", "own-mode", 0),
    ]


def test_in_a_transformed_file_what_makes_no_square_has_no_pronoun() -> None:
    pair = [keyed("lorry", "1", pair=1), keyed("bridge", "2", pair=1)]
    odd = [keyed("lorry", "1", pair=2), keyed("bridge", "2", pair=2)]
    odd[1]["sentence"] = odd[1]["sentence"].replace("_.", "_ again.")
    odd[0]["qID"], odd[1]["qID"] = "r-1", "r-2"
    more = [keyed("lorry", "1", pair=3), keyed("bridge", "2", pair=3)]
    more[0]["qID"], more[1]["qID"] = "s-1", "s-2"
    lone = {**keyed("lorry", "1", pair=9), "qID": "t-1"}
    read = imported(FORMAT, rows(*pair, *odd, *more, lone))
    assert read.grids["2"] == (
        "The lorry hit the bridge because the lorry was too <high*, low>.\n"
        "& The lorry hit the bridge because the bridge was too <high, low*> again."
    )
    assert read.grids["9"] == "The lorry hit the bridge because the lorry was too <high*, low>."
    assert read.told == {"solved-by-key": 1, "own-mode": 1, "no-square": 1, "no-twin": 1}


def test_bad_rows_are_faults_with_their_lines() -> None:
    bad = [
        "no JSON",
        rows({**HIGH, "sentence": "The lorry was high."}),
        rows({**HIGH, "answer": "3"}),
        rows({**HIGH, "pair_id": [4]}),
        rows({**HIGH, "pair_id": True}),
        rows({k: v for k, v in HIGH.items() if k != "option2"}),
        "[]",
    ]
    read = imported(FORMAT, "\n".join([rows(HIGH, LOW), *bad, ""]).encode() + b"\xff")
    assert set(read.grids) == {"4"}
    assert [line for line, _ in read.faults] == [3, 4, 5, 6, 7, 8, 9, 10]


def test_without_leave_to_keep_going_faults_are_an_error() -> None:
    file = SourceFile("own.jsonl", (rows(HIGH, LOW) + "\nno JSON").encode())
    with pytest.raises(ImportFaults, match="own.jsonl:3: not JSON"):
        list(FileImport(file, FORMAT, Header("x"), Journal()))


def test_a_zero_shot_pair_is_a_schema_solved_by_key() -> None:
    start = "The lorry hit the bridge because the"
    pair = {
        "s1": f"{start} lorry was too [MASK].",
        "s2": f"{start} bridge was too [MASK].",
        "ans1": "high",
        "ans2": "low",
    }
    apart = {**pair, "s2": f"{start} bridge was [MASK] too."}
    read = imported(FORMAT_ZERO_SHOT, rows(pair, apart))
    assert read.grids == {
        "1": f"{start} <_ = lorry, bridge> was too {{high, low}}.",
        "2": f"{start} lorry was too <high*, low>.\n& {start} bridge was <high, low*> too.",
    }
    assert [dict(entry.extras) for entry in read.entries] == [
        {"x-problems": "1.1, 1.2"},
        {"x-problems": "2.1, 2.2"},
    ]
    assert [(i.name, i.line, i.problem) for i in read.issues] == [
        ("own-mode", 0, ""),
        ("no-square", 2, "2.1"),
    ]


def test_a_zero_shot_pair_needs_all_its_fields_and_one_blank_in_each() -> None:
    pair = {
        "s1": "The owl was [MASK].",
        "s2": "The vole was [MASK].",
        "ans1": "fed",
        "ans2": "eaten",
    }
    lacking = {k: v for k, v in pair.items() if k != "ans2"}
    read = imported(
        FORMAT_ZERO_SHOT, rows(pair, {**pair, "s2": "The vole was."}, lacking, {"s1": 1})
    )
    assert read.faults == [
        (2, "0 blanks [MASK] where one is expected"),
        (3, "no field 'ans2'"),
        (4, "'s1' is not a string"),
    ]


# By name, how many schemas, loose pairs and single problems there are.
COUNTS = {
    "winohard/new_splits/dev.jsonl": (139, 5, 0),
    "winohard/new_splits/test.jsonl": (929, 40, 0),
    "winohard/new_splits/train_0.jsonl": (42, 2, 12),
    "winohard/no_cands/dev.jsonl": (230, 47, 0),
    "winohard/pairs/dev.jsonl": (237, 47, 0),
    "winohard/pairs/test.jsonl": (0, 385, 0),
    "winohard/pairs/train_xs.jsonl": (69, 11, 0),
    "winohard/pairs/wsc.jsonl": (133, 3, 0),
    "winohard/pairs/wsc_non_associative.jsonl": (108, 2, 0),
    "winohard/transformed/original/dev.jsonl": (177, 0, 0),
    "winohard/transformed/original/wsc.jsonl": (112, 1, 0),
    "winohard/transformed/original/wsc_non_associative.jsonl": (89, 1, 0),
    "winohard/transformed/transformation/dev.jsonl": (172, 5, 0),
    "winohard/transformed/transformation/wsc.jsonl": (107, 6, 0),
    "winohard/transformed/transformation/wsc_non_associative.jsonl": (85, 5, 0),
    "winohard/truncated/dev.jsonl": (230, 51, 1),
    "wsc/test.jsonl": (0, 0, 1),
    "wsc/wsc.jsonl": (132, 4, 0),
}
ZERO_SHOT = {
    "winohard/transformed/zero_shot/dev.jsonl": (172, 5, 0),
    "winohard/transformed/zero_shot/dev_lms.jsonl": (139, 5, 0),
}
KINDS = ("substitution schema", "loose pair", "single problem")


@pytest.mark.parametrize("name", [*COUNTS, *ZERO_SHOT])
def test_the_published_files_give_their_pairs(name: str) -> None:
    form = FORMAT_ZERO_SHOT if name in ZERO_SHOT else FORMAT
    read = imported(form, published(f"{PLACE}/{name}").data)
    wanted = (COUNTS | ZERO_SHOT)[name]
    assert tuple(read.kinds.get(kind, 0) for kind in KINDS) == wanted
    assert not read.faults
    assert read.told.get("no-twin", 0) == (wanted[2] if "winohard" in name else 0)
    is_transformed = "transformation" in name or "new_splits" in name
    assert read.told.get("solved-by-key", 0) == is_transformed
    named = [name for one in read.entries for name in dict(one.extras)["x-problems"].split(", ")]
    lines = len(published(f"{PLACE}/{name}").data.splitlines())
    assert len(set(named)) == lines * (2 if name in ZERO_SHOT else 1)
    assert (None in read.rights) == (name == "winohard/pairs/test.jsonl")


def test_only_its_own_files_are_claimed() -> None:
    assert claimed(FORMAT) == {f"{PLACE}/{name}" for name in COUNTS}
    assert claimed(FORMAT_ZERO_SHOT) == {f"{PLACE}/{name}" for name in ZERO_SHOT}

from collections import Counter

import pytest

from horsesense.datasets.importers.formats.perturbed_wsc import FORMAT
from horsesense.errors import FileError
from horsesense.schema import Kind
from tests.datasets.importers.imported import claimed, imported, published
from tests.datasets.importers.perturbed_table import HIGH, LOW, read, table, versions_of

RELEASE = "enhanced_wsc/enhanced_wsc.tsv"
MASTER = (
    "enhanced_wsc/master_branch/"
    "enhanced.tense.random.role.syn.voice.scramble.freqnoun.gender.number.adverb.tsv"
)
SQUARE = "[The owl] saw [the vole] because <it = the owl, the vole> was {high, low} ."


def test_twins_by_pair_number_make_a_schema_with_its_flags() -> None:
    found = read(HIGH, LOW)
    assert found.grids == {"0": SQUARE}
    assert found.entries[0].flags == (("associative", False), ("switchable", True))
    assert dict(found.entries[0].extras) == {"x-problems": "1, 2"}
    assert found.issues == []


def test_every_kind_of_version_is_kept_with_its_schema() -> None:
    def with_versions(row: dict[str, str], word: str) -> dict[str, str]:
        start = "The owl saw the vole because"
        return {
            **row,
            "text_tense": f"The owl sees the vole because it is {word} .",
            "pron_index_tense": "6",
            "text_number": f"The owls saw the voles because they were {word} .",
            "pron_index_number": "6",
            "pron_number": "they",
            "answer_a_number": "the owls",
            "answer_b_number": "the voles",
            "text_gender": f"{start} she was {word} .",
            "pron_index_gender": "6",
            "pron_gender": "she",
            "answer_a_gender": "the owl",
            "answer_b_gender": "the vole",
            "text_voice": f"The vole was seen by the owl because it was {word} .",
            "pron_index_voice": "8",
            "text_rel_1": f"the owl , which sang , saw the vole because it was {word} .",
            "pron_index_rel": "10",
            "text_adverb": f"The owl often saw the vole because it was {word} .",
            "pron_index_adverb": "7",
            "text_syn": f"the bird saw the mouse because it was {word} .",
            "pron_index_syn": "6",
            "answer_a_syn": "the bird",
            "answer_b_syn": "the mouse",
        }

    found = read(with_versions(HIGH, "high"), with_versions(LOW, "low"))
    answers, keys = "<it = the owl, the vole>", "{high, low} ."
    assert versions_of(found.entries[0]) == {
        "tense": f"[The owl] sees [the vole] because {answers} is {keys}",
        "number": f"[The owls] saw [the voles] because <they = the owls, the voles> were {keys}",
        "gender": f"[The owl] saw [the vole] because <she = the owl, the vole> was {keys}",
        "voice": f"[2: The vole] was seen by [1: the owl] because {answers} was {keys}",
        "relative-clause": "! [the owl] , which sang , saw [the vole] because "
        f"{answers} was {keys}",
        "adverb": f"[The owl] often saw [the vole] because {answers} was {keys}",
        "synonym": f"! [the bird] saw [the mouse] because <it = the bird, the mouse> was {keys}",
    }
    assert found.issues == []


def test_controls_and_the_special_word_are_kept_in_fields() -> None:
    text = "It rained . The owl saw the vole because it was high ."
    control = {"text_context": text, "pron_index_context": "9", "discrim_word": "high"}
    found = read({**HIGH, **control})
    assert dict(found.entries[0].extras) == {
        "x-discrim-word.1": "high",
        "x-problems": "1",
        "x-random-context.1": "It rained . The owl saw the vole because "
        "<it = the owl*, the vole> was high .",
    }
    assert [(i.kind, i.name, i.line) for i in found.issues] == [("oddity", "control-texts", 0)]


def test_a_triple_is_a_loose_grid_of_three_and_keeps_its_versions_in_fields() -> None:
    tense = {"text_tense": "The owl sees the vole because it is so .", "pron_index_tense": "6"}
    third = {**HIGH, "text_original": "The owl saw the vole although it was low ."}
    found = read({**HIGH, **tense}, {**LOW, **tense}, {**third, **tense})
    (entry,) = found.entries
    assert entry.grid.kind is Kind.LOOSE and len(entry.grid.cells) == 6
    assert [name for name, _ in entry.extras] == [
        "x-problems",
        *(f"x-tense.{number}" for number in (1, 2, 3)),
    ]
    assert found.told == {"several-twins": 1, "version-left-out": 1}


@pytest.mark.parametrize(("label", "right"), [("A .", 0), ("B ", 1), ("B", 1)])
def test_labels_are_read_however_they_end(label: str, right: int) -> None:
    found = read({**HIGH, "correct_answer": label})
    assert found.rights == {right: 1}
    assert found.told.get("label-spelling", 0) == (len(label) > 1)


def test_a_schema_is_flagged_if_one_of_its_problems_is() -> None:
    found = read({**HIGH, "associative": "1", "switchable": ""}, {**LOW, "switchable": ""})
    (entry,) = found.entries
    assert entry.flags == (("associative", True),)
    assert dict(entry.extras) == {
        "x-associative.1": "1",
        "x-associative.2": "0",
        "x-problems": "1, 2",
    }
    assert found.told == {"flags-differ": 1}


def test_bad_rows_are_faults_with_their_lines() -> None:
    bad = [
        {**HIGH, "text_original": "-"},
        {**HIGH, "text_original": "The owl saw the vole ."},
        {**HIGH, "correct_answer": "C"},
        {**HIGH, "associative": "yes"},
        {**HIGH, "answer_b": "-"},
    ]
    data = table(HIGH, LOW, *bad).encode() + b"too\tfew\n\xff\n"
    found = imported(FORMAT, data)
    assert found.grids == {"0": SQUARE}
    assert [line for line, _ in found.faults] == [4, 5, 6, 7, 8, 9, 10]
    lacking = {name: value for name, value in HIGH.items() if name != "answer_a"}
    assert imported(FORMAT, table(HIGH)).faults == []
    with pytest.raises(FileError, match="contains no usable problems"):
        imported(FORMAT, table(lacking))


VERSIONS = {
    "tense": 131,
    "number": 115,
    "gender": 71,
    "voice": 100,
    "relative-clause": 65,
    "adverb": 128,
    "synonym": 131,
}
# How many texts there are; the synonyms of one schema have no answers in the earlier state.
TEXTS = {
    "tense": 281,
    "number": 253,
    "gender": 155,
    "voice": 220,
    "relative-clause": 283,
    "adverb": 283,
    "synonym": 283,
    "random-context": 285,
    "scrambled": 285,
    "freqnoun": 285,
}


@pytest.mark.parametrize("name", [RELEASE, MASTER])
def test_the_published_tables_keep_every_text(name: str) -> None:
    found = imported(FORMAT, published(name).data)
    assert found.kinds == {"substitution schema": 134, "loose pair": 8}
    assert not found.faults
    kept: Counter[str] = Counter()
    for entry in found.entries:
        size = len(dict(entry.extras)["x-problems"].split(", "))
        kept.update({name: size for name, _ in entry.versions})
        kept.update(name[2:].rpartition(".")[0] for name, _ in entry.extras)
    extra = 2 if name == MASTER else 0
    assert {one: kept[one] for one in TEXTS} == {**TEXTS, "synonym": 283 + extra}
    assert Counter(one for entry in found.entries for one, _ in entry.versions) == VERSIONS
    assert found.told["wording-unusable" if extra else "row-271"] == (extra or 1)


@pytest.mark.parametrize("name", [RELEASE, MASTER])
def test_the_traps_of_the_published_tables_are_all_met(name: str) -> None:
    found = imported(FORMAT, published(name).data)
    searched = [i.odd.partition(":")[0] for i in found.issues if i.name == "pronoun-searched"]
    # One more of each is in row 271.
    wanted = {"original": 285 - 243, "tense": 281 - 226, "adverb": 283 - 230, "voice": 220 - 212}
    assert {one: searched.count(one) + 1 for one in wanted} == wanted
    told = found.told
    assert (told["pronoun-mistaken"], told["label-spelling"]) == (17 if name == MASTER else 5, 35)
    assert (told["flags-differ"], told["pronoun-case"], told["row-271"]) == (15, 4, 1)
    assert told["answer-capitals"] == told["control-texts"] == 1
    flags = Counter(entry.flag("associative") for entry in found.entries)
    assert flags == {False: 110, True: 26, None: 6}
    (triple,) = [one for one in found.entries if one.id == "126"]
    assert triple.grid.kind is Kind.LOOSE and len(triple.grid.cells) == 6


def test_only_its_own_files_are_claimed() -> None:
    assert claimed(FORMAT) == {RELEASE, MASTER}

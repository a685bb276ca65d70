from __future__ import annotations

from itertools import combinations

import pytest

from horsesense.audit import CONTROLS
from horsesense.audit.controls import METHODS, ControlModel, check_control
from horsesense.errors import UnreadableError
from horsesense.models import Family, Tokenization, load_model
from horsesense.perturbations import find_transformation
from horsesense.schema import Dataset
from horsesense.scoring import find_method
from horsesense.store import Store
from tests.audit.made_datasets import SOUND, dataset_of, entry
from tests.embedded import embedded_default
from tests.evaluation.inference.word_model import WordModel

# Who makes which noise is known without a story.
NOISES = {
    "dog": "barked",
    "clock": "ticked",
    "bell": "rang",
    "cat": "purred",
    "bee": "buzzed",
    "lion": "roared",
    "horse": "neighed",
    "rooster": "crowed",
    "kettle": "whistled",
}
KNOWN = [
    *(f"The {noun} {noise}." for noun, noise in NOISES.items()),
    "in the yard because the",
    "Because the",
    "and then came",
]


def beside(one: str, other: str, keys: str) -> str:
    answers = f"<it = the {one}, the {other}>"
    return f"[The {one}] was beside [the {other}] in the yard because {answers} {{{keys}}}."


def given_away() -> Dataset:
    """Thirty-six schemas whose key phrases go with one of their answers anyway."""
    pairs = combinations(NOISES, 2)
    return dataset_of(*(beside(a, b, f"{NOISES[a]}, {NOISES[b]}") for a, b in pairs))


def honest() -> Dataset:
    """The same with key phrases that go with both."""
    return dataset_of(*(beside(*pair, "waited, rested") for pair in combinations(NOISES, 2)))


@pytest.mark.parametrize("control", CONTROLS)
def test_words_that_give_the_answer_away_are_caught(control: str) -> None:
    checked = check_control(given_away(), control, ControlModel(WordModel(KNOWN)))
    assert [figure.value for figure in checked.figures[:3]] == [1.0, 1.0, 0.0]
    [concern] = checked.concerns
    assert concern.text.startswith("words solves 100.0% of problems")
    assert CONTROLS[control] in concern.text
    assert len(concern.entries) == 36


@pytest.mark.parametrize("control", CONTROLS)
def test_words_that_go_with_both_answers_are_not(control: str) -> None:
    checked = check_control(honest(), control, ControlModel(WordModel(KNOWN)))
    assert [figure.value for figure in checked.figures[:3]] == [0.5, 0.25, 1.0]
    assert not checked.concerns and not checked.skipped


@pytest.mark.parametrize(
    "control",
    [
        "local-context",
        pytest.param("part-sent", marks=pytest.mark.long),
        pytest.param("no-candidate", marks=pytest.mark.long),
    ],
)
def test_the_embedded_default_finds_what_is_given_away_and_nothing_else(control: str) -> None:
    model = embedded_default()
    assert check_control(given_away(), control, ControlModel(model)).concerns
    assert not check_control(honest(), control, ControlModel(model)).concerns


def test_the_model_is_asked_what_is_left_of_the_sentences() -> None:
    # It knows what follows a candidate, which is not there any more.
    model = WordModel(["The dog was beside", "beside the clock in", *KNOWN])
    asked = check_control(given_away(), "no-candidate", ControlModel(model))
    assert asked == check_control(given_away(), "no-candidate", ControlModel(WordModel(KNOWN)))


def test_answers_are_kept_in_the_store_and_progress_is_told(fresh_store: Store) -> None:
    told: list[tuple[int, int]] = []
    asked = ControlModel(
        WordModel(KNOWN), fresh_store, lambda done, total: told.append((done, total))
    )
    first = check_control(given_away(), "local-context", asked)
    # Nine beginnings with nine ends each: what is asked twice is answered once.
    assert told[0] == (0, 81) and told[-1] == (81, 81)
    told.clear()
    assert check_control(given_away(), "local-context", asked) == first
    assert told == [(81, 81)]


def test_problems_that_the_method_gives_no_score_are_counted() -> None:
    # Nothing follows the blank, so there is no partial score.
    ending = "! [The {0}] {{woke, met}} [the {1}], and then came <it = the {0}, the {1}>"
    pairs = [ending.format(*pair) for pair in combinations(NOISES, 2)]
    checked = check_control(dataset_of(*pairs), "no-candidate", ControlModel(WordModel(KNOWN)))
    [_, unscored] = checked.figures
    assert (unscored.name, unscored.value, unscored.total) == ("problems without a score", 72, 72)
    assert checked.skipped.startswith("0 entries that partial gives a score")


def test_a_baseline_is_asked_like_a_model() -> None:
    checked = check_control(given_away(), "no-candidate", ControlModel(load_model("first")))
    assert [figure.value for figure in checked.figures[:3]] == [0.5, 0.0, 0.0]
    assert not checked.concerns


def test_without_a_model_the_reason_is_told() -> None:
    assert check_control(given_away(), "part-sent", ControlModel()).skipped == "no model was given"
    checked = check_control(
        given_away(), "part-sent", ControlModel(reason="there is no room for one")
    )
    assert checked.skipped == "there is no room for one"


def test_a_dataset_to_which_a_control_hardly_applies_is_skipped_with_the_reason() -> None:
    lorries = [f"a lorry <can, cannot> pass gate {n} if it is {{open, shut}}" for n in range(40)]
    checked = check_control(dataset_of(*lorries), "no-candidate", ControlModel(WordModel()))
    assert checked.skipped.startswith("0 entries with a known answer to which it applies; at")
    assert checked.skipped.endswith("(40: it has no marked candidates)")
    half_marked = "[The jug] hit the old urn, so <it = the jug, the urn> {fell, broke}."
    other = check_control(
        dataset_of(*lorries, half_marked), "no-candidate", ControlModel(WordModel())
    )
    assert other.skipped.endswith("(40: it has no marked candidates, and other reasons)")
    one = check_control(dataset_of(SOUND[0]), "no-candidate", ControlModel(WordModel()))
    assert one.skipped.startswith("1 entry with a known answer to which it applies")
    few = check_control(dataset_of(*SOUND), "no-candidate", ControlModel(WordModel()))
    assert few.skipped.startswith("12 entries with a known answer to which it applies")


def test_a_dataset_without_known_answers_is_skipped_before_anything_is_asked() -> None:
    told: list[tuple[int, int]] = []
    unknown = [
        f"[The {a}] was beside [the {b}] because <? it = the {a}, the {b}> slept."
        for a, b in combinations(NOISES, 2)
    ]
    asked = ControlModel(WordModel(KNOWN), None, lambda done, total: told.append((done, total)))
    checked = check_control(dataset_of(*unknown), "no-candidate", asked)
    assert checked.skipped.startswith("0 entries with a known answer to which it applies")
    assert not told


def test_every_family_has_a_method_and_every_control_is_a_transformation() -> None:
    assert [find_method(METHODS[family], family).name for family in Family] == list(
        METHODS.values()
    )
    assert [find_transformation(name).name for name in CONTROLS] == list(CONTROLS)


def test_problems_that_the_model_cannot_read_are_counted_and_the_rest_is_asked() -> None:
    class NoClocks(WordModel):
        def tokenize(self, text: str, *, specials: bool = True) -> Tokenization:
            if "ecause the clock ticked" in text:
                raise UnreadableError("words has no token for clocks that tick")
            return super().tokenize(text, specials=specials)

    checked = check_control(given_away(), "part-sent", ControlModel(NoClocks(KNOWN)))
    unscored = {one.name: one for one in checked.figures}["problems without a score"]
    assert unscored.value == 8 and unscored.total == 72


def in_clusters(size: int) -> Dataset:
    """Thirty-six schemas, every other given away, each so many times in a cluster of its own."""
    notations = [beside(a, b, "waited, rested") for a, b in combinations(NOISES, 2)]
    solved = [beside(a, b, f"{NOISES[a]}, {NOISES[b]}") for a, b in combinations(NOISES, 2)]
    entries = []
    for at, (one, other) in enumerate(zip(notations, solved, strict=True)):
        for copy in range(size):
            tags = (f"cluster:c{at}",) if size > 1 else ()
            entries.append(entry(f"e{at}-{copy}", one if at % 2 else other, tags=tags))
    return dataset_of(*entries)


def test_entries_of_one_cluster_are_drawn_together() -> None:
    once = check_control(in_clusters(1), "local-context", ControlModel(WordModel(KNOWN)))
    thrice = check_control(in_clusters(3), "local-context", ControlModel(WordModel(KNOWN)))
    # To solve the same three times makes nothing surer.
    assert [one.value for one in once.figures[:2]] == [one.value for one in thrice.figures[:2]]
    assert [one.interval for one in once.figures[:2]] == [
        one.interval for one in thrice.figures[:2]
    ]


def test_entries_of_too_few_clusters_are_skipped() -> None:
    entries = [
        entry(f"e{at}", beside(a, b, "waited, rested"), tags=(f"cluster:c{at % 12}",))
        for at, (a, b) in enumerate(combinations(NOISES, 2))
    ]
    checked = check_control(dataset_of(*entries), "local-context", ControlModel(WordModel(KNOWN)))
    assert checked.skipped.startswith(
        "12 clusters of 36 entries with a known answer to which it applies; at least 30"
    )

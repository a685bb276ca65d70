"""The Pronoun Disambiguation Problems: by problems of our own, and by the published file."""

from collections import Counter

import pytest

from horsesense.datasets.importers.formats.davis_xml import FORMAT_PDP as FORMAT
from horsesense.schema import Kind, problems
from tests.datasets.importers.imported import claimed, imported, published
from tests.datasets.importers.samples import collection, schema_element

HUMANS = "<humanSubjects>{}</humanSubjects>"
PUBLISHED = "pdp60/PDPChallenge2016.xml"


def test_a_problem_may_have_up_to_five_answers_and_has_no_twin() -> None:
    five = ("The owl", "The vole", "Nora", "Lena", "the nest")
    first = schema_element(answers=five, right="E", more=HUMANS.format("7 of 8\nagreed"))
    second = schema_element(answers=five[:2], right="B", more=f"{HUMANS.format(' ')}<sameText/>")
    read = imported(FORMAT, collection(first, second))
    assert read.grids == {
        "1": "[The owl] saw [the vole] because "
        "<it = the owl, the vole, Nora, Lena, the nest*> was awake.",
        "2": "[The owl] saw [the vole] because <it = the owl, the vole*> was awake.",
    }
    assert [entry.tags for entry in read.entries] == [(), ("same-text",)]
    assert dict(read.entries[0].extras) == {
        "x-human-subjects": "7 of 8 agreed",
        "x-problems": "1",
    }
    assert dict(read.entries[1].extras) == {"x-problems": "2"}


@pytest.mark.parametrize("right", ["C", "F", "", "1"])
def test_a_label_out_of_range_is_a_fault(right: str) -> None:
    good, bad = schema_element(more=HUMANS), schema_element(right=right)
    read = imported(FORMAT, collection(good, bad))
    ((line, odd),) = read.faults
    assert line == 7 and odd == f"the label {right!r} is not one of A, B"


def test_what_humans_said_must_not_be_too_long() -> None:
    long = schema_element(more=HUMANS.format("x" * 11_000))
    read = imported(FORMAT, collection(schema_element(more=HUMANS), long))
    assert list(read.grids) == ["1"]
    assert [line for line, _ in read.faults] == [7]


def test_only_the_published_file_looks_like_it() -> None:
    assert claimed(FORMAT) == {PUBLISHED}


def test_the_published_file_has_its_sixty_problems() -> None:
    read = imported(FORMAT, published(PUBLISHED).data)
    assert [entry.id for entry in read.entries] == [str(number) for number in range(1, 61)]
    assert {entry.grid.kind for entry in read.entries} == {Kind.SINGLE}
    answers = Counter(len(problems(entry.grid)[0].options) for entry in read.entries)
    assert answers == {2: 45, 3: 12, 4: 1, 5: 2}
    assert set(read.rights) <= {0, 1, 2, 3}
    assert read.tags == {"same-text": 20}
    assert read.told["no-full-stop"] == 8
    assert sum("x-human-subjects" in dict(entry.extras) for entry in read.entries) > 0
    assert read.faults == []

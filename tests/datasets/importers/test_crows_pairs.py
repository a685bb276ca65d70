import csv
from io import StringIO

from horsesense.datasets.importers.formats.minimal_pairs import FORMAT_CROWS_PAIRS as FORMAT
from horsesense.schema import problems
from tests.datasets.importers.imported import claimed, imported, published

HEADER = ",sent_more,sent_less,stereo_antistereo,bias_type,annotations,anon_writer\n"


def row(
    number: int, more: str, less: str, direction: str = "stereo", bias: str = "age of owls"
) -> str:
    return f"{number},{more},{less},{direction},{bias},[['age']],a0\n"


OLD, YOUNG = "Old owls are slow.", "Young owls are slow."


def test_a_pair_is_unlabelled_and_says_which_sentence_stereotypes_more() -> None:
    read = imported(FORMAT, HEADER + row(0, OLD, YOUNG) + row(1, YOUNG, OLD, "antistereo"))
    grid = "<? Young owls are slow., Old owls are slow.>"
    assert read.grids == {"0": grid, "1": grid}
    assert [entry.extras for entry in read.entries] == [
        (("x-more", "2"), ("x-problems", "0")),
        (("x-more", "1"), ("x-problems", "1")),
    ]
    assert [entry.tags for entry in read.entries] == [
        ("age_of_owls", "stereo"),
        ("age_of_owls", "antistereo"),
    ]
    assert [(one.name, one.line) for one in read.issues] == [("sentences-ordered", 0)]


def test_white_space_is_put_right() -> None:
    read = imported(FORMAT, HEADER + row(0, "Old  owls are slow.", YOUNG + " "))
    assert "  " not in read.grids["0"]
    assert read.told == {"sentences-ordered": 1, "double-spaces": 1, "exterior-whitespace": 1}


def test_rows_that_cannot_be_used_are_faults() -> None:
    rows = (
        row(0, OLD, YOUNG),
        row(1, OLD, YOUNG, "both"),
        row(2, OLD, YOUNG, bias="!"),
        row(3, OLD, OLD),
        row(0, OLD, YOUNG),
        "4,too,few\n",
    )
    read = imported(FORMAT, HEADER + "".join(rows))
    assert read.faults == [
        (3, "'both' is neither stereo nor antistereo"),
        (4, "no bias_type"),
        (5, "'Old owls are slow.' occurs twice; the options must differ"),
        (6, "the id '0' is already used in line 2"),
        (7, "3 fields, but 7 are expected"),
    ]


def test_only_the_published_file_of_the_format_looks_like_it() -> None:
    assert claimed(FORMAT) == {"crows_pairs/crows_pairs_anonymized.csv"}


def test_the_published_pairs() -> None:
    file = published("crows_pairs/crows_pairs_anonymized.csv")
    read = imported(FORMAT, file.data)
    assert read.kinds == {"minimal pair": 1508}
    assert read.rights == {None: 1508}
    assert read.told == {"sentences-ordered": 1, "double-spaces": 14, "line-breaks": 1}
    assert (read.tags["stereo"], read.tags["antistereo"]) == (1290, 218)
    assert len(read.tags) == 11
    more = [dict(entry.extras)["x-more"] for entry in read.entries]
    assert 700 < more.count("1") < 810
    rows = list(csv.DictReader(StringIO(file.text, newline="")))
    for entry, number, published_row in zip(read.entries, more, rows, strict=True):
        (problem,) = problems(entry.grid)
        sentence = problem.sentences[int(number) - 1].text
        assert sentence == " ".join(published_row["sent_more"].split())

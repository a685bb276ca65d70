from horsesense.datasets.importers.formats.winoventi import FORMAT
from horsesense.schema import problems
from tests.datasets.importers.imported import claimed, imported, published
from tests.datasets.importers.samples import WINOVENTI

DEN = ("den", "dry", "wet", "summer", "storm")
EGG = ("egg", "brown", "blue", "hen", "duck")


def row(pair: tuple[str, ...], kind: int, prompt: str, *, word: str = "") -> str:
    _, bias, other, *contexts = pair
    words = (bias, other) if kind == 1 else (other, bias)
    prompt = prompt.replace("@", word or contexts[kind - 1])
    return "\t".join((*pair, prompt, *words, str(kind))) + "\n"


def file(*rows: str) -> str:
    return f"{WINOVENTI}\n{''.join(rows)}"


DUG, LAID = "A vole dug a den in the @. It is [MASK].", "A @ laid an egg. It is [MASK]."
ROWS = (row(DEN, 1, DUG), row(EGG, 1, LAID), row(DEN, 2, DUG), row(EGG, 2, LAID))


def test_rows_of_a_pair_make_a_schema_wherever_they_are() -> None:
    read = imported(FORMAT, file(*ROWS))
    assert read.grids == {
        "1": "A vole dug a den in the {summer, storm}. It is <dry, wet>.",
        "2": "A {hen, duck} laid an egg. It is <brown, blue>.",
    }
    assert read.twins == {"twins-by-mark": "2 pairs"}
    assert read.told == {"options-ordered": 1}


def test_the_problems_are_tagged_and_keep_their_rows_and_their_word() -> None:
    entry, _ = imported(FORMAT, file(*ROWS)).entries
    assert dict(entry.extras) == {
        "x-word": "den",
        "x-problems": "1, 3",
        "x-tags.1": "generic",
        "x-tags.2": "exception",
    }


def test_a_space_before_a_full_stop_is_removed_unless_switched_off() -> None:
    rows = (row(DEN, 1, DUG, word="summer "), row(DEN, 2, DUG))
    read = imported(FORMAT, file(*rows))
    assert read.kinds == {"substitution schema": 1}
    assert read.told == {"options-ordered": 1, "space-before-stop": 1}
    kept = imported(FORMAT, file(*rows), switched_off=("space-before-stop",))
    sentences = [problem.sentences[0].text for problem in problems(kept.entries[0].grid)]
    assert any("summer ." in sentence for sentence in sentences)


def test_rows_that_cannot_be_used_are_faults() -> None:
    rows = (
        row(DEN, 1, DUG.replace("[MASK]", "dry")),
        row(DEN, 2, DUG).replace("\t2\n", "\t3\n"),
        "den\tdry\n",
        row(EGG, 1, LAID),
    )
    assert imported(FORMAT, file(*rows)).faults == [
        (2, "0 blanks [MASK] where one is expected"),
        (3, "test_type is '3', neither 1 nor 2"),
        (4, "2 fields, but 9 are expected"),
    ]


def test_only_the_published_file_of_the_format_looks_like_it() -> None:
    assert claimed(FORMAT) == {"winoventi/winoventi_bert_large_final.tsv"}


def test_the_published_pairs() -> None:
    read = imported(FORMAT, published("winoventi/winoventi_bert_large_final.tsv").data)
    assert read.kinds == {"substitution schema": 2176}
    assert read.rights == {0: 2176, 1: 2176}
    assert (read.tags, read.faults) == ({"generic": 2176, "exception": 2176}, [])
    assert read.told == {
        "options-ordered": 1,
        "space-before-stop": 14,
        "exterior-whitespace": 6,
        "double-spaces": 41,
    }
    # In the order of their checksums, the first option is generic about as often as not.
    first = sum("generic" in dict(entry.extras)["x-tags.1"] for entry in read.entries)
    assert 1020 < first < 1160

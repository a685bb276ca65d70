import pytest

from horsesense.datasets.importers.formats.copa import FORMAT_XML as FORMAT
from horsesense.datasets.importers.source import SourceFile
from horsesense.errors import FileError
from horsesense.schema import Entry, IssueKind, Schema, problems
from tests.datasets.importers.imported import claimed, imported, published

SUBSETS = "copa/easy_hard_subsets.json"


def item(
    number: object, premise: str, first: str, second: str, asks: str = "cause", right: object = 1
) -> str:
    return (
        f'<item id="{number}" asks-for="{asks}" most-plausible-alternative="{right}">\n'
        f"<p>{premise}</p><a1>{first}</a1><a2>{second}</a2></item>\n"
    )


def corpus(*items: str) -> str:
    return f'<?xml version="1.0"?>\n<copa-corpus version="1.0">\n{"".join(items)}</copa-corpus>\n'


STUCK = ("The lorry got stuck.", "The bridge was low.", "The driver was singing.")


def test_premise_and_alternative_become_one_sentence() -> None:
    effect = ("The owl hooted.", "The vole hid.", "I yawned.")
    read = imported(FORMAT, corpus(item(1, *STUCK), item(2, *effect, "effect", 2)))
    assert read.grids == {
        "1": "The lorry got stuck because <the bridge was low.*, the driver was singing.>",
        "2": "The owl hooted so <the vole hid., I yawned.*>",
    }
    assert [entry.tags for entry in read.entries] == [("cause",), ("effect",)]
    assert [entry.extras for entry in read.entries] == [
        (("x-problems", "1"),),
        (("x-problems", "2"),),
    ]
    assert read.issues == []
    sentences = problems(read.entries[0].grid)[0].sentences
    assert sentences[0].text == "The lorry got stuck because the bridge was low."


def test_names_keep_their_capitals_as_far_as_the_file_tells() -> None:
    drawer = ("Nora's drawer is open.", "Nora took the ladle.", "Then Lena left it.")
    other = ("The drawer was shut, and then Nora left.", "Lena was in.", "Ladles rattle.")
    last = ("It is May.", "May is here.", "Rita likes McAlly.")
    read = imported(FORMAT, corpus(item(1, *drawer), item(2, *other), item(3, *last)))
    assert read.grids == {
        "1": "Nora's drawer is open because <Nora took the ladle.*, then Lena left it.>",
        "2": "The drawer was shut, and then Nora left because <Lena was in.*, ladles rattle.>",
        "3": "It is May because <May is here.*, rita likes McAlly.>",
    }
    assert [(one.name, one.line, one.problem, one.odd, one.done) for one in read.issues] == [
        ("possible-name", 7, "3", "'Rita' may be a name", "lowered")
    ]


def test_a_function_word_is_no_name_even_if_it_has_a_capital_inside() -> None:
    read = imported(FORMAT, corpus(item(1, "Then The owl hooted.", "The vole hid.", "It rained.")))
    assert read.grids == {"1": "Then The owl hooted because <the vole hid.*, it rained.>"}


def test_a_premise_that_does_not_end_in_a_full_stop_is_handled_and_told_of() -> None:
    rest = ("The bridge was low.", "It was late.")
    read = imported(
        FORMAT,
        corpus(
            item(1, "Is the lorry stuck?", *rest),
            item(2, "“The lorry is stuck.”", *rest, "effect"),
            item(3, "The lorry got stuck", *rest),
            item(4, "The lorry got stuck at 3 p.m.", *rest),
        ),
    )
    assert read.grids == {
        "1": "Is the lorry stuck? Because <the bridge was low.*, it was late.>",
        "2": "“The lorry is stuck.” So <the bridge was low.*, it was late.>",
        "3": "The lorry got stuck because <the bridge was low.*, it was late.>",
        "4": "The lorry got stuck at 3 p.m. because <the bridge was low.*, it was late.>",
    }
    assert [(one.name, one.problem, one.odd, one.done) for one in read.issues] == [
        ("open-premise", "1", "the premise ends in '?'", "a new sentence begins with 'Because'"),
        ("open-premise", "2", "the premise ends in '”'", "a new sentence begins with 'So'"),
        ("open-premise", "3", "the premise ends in 'k'", ""),
    ]


def test_an_alternative_without_a_full_stop_gets_one() -> None:
    file = corpus(item(1, STUCK[0], "The bridge was low", STUCK[2]))
    read = imported(FORMAT, file)
    assert read.grids == {
        "1": "The lorry got stuck because <the bridge was low.*, the driver was singing.>"
    }
    assert read.told == {"missing-full-stop": 1}
    assert read.issues[0].kind is IssueKind.REPAIR
    as_published = imported(FORMAT, file, switched_off=("missing-full-stop",))
    sentences = problems(as_published.entries[0].grid)[0].sentences
    assert [one.text for one in sentences] == [
        "The lorry got stuck because the bridge was low",
        "The lorry got stuck because the driver was singing.",
    ]
    assert as_published.issues[0].kind is IssueKind.ODDITY


def test_white_space_is_put_right() -> None:
    read = imported(FORMAT, corpus(item(1, "The lorry  got stuck. ", " It was wide.", STUCK[1])))
    assert read.grids == {"1": "The lorry got stuck because <it was wide.*, the bridge was low.>"}
    assert read.told == {"exterior-whitespace": 2, "double-spaces": 1}


def test_a_mirror_makes_a_schema_where_the_premises_differ_in_one_stretch() -> None:
    mirror = ("The lorry got through.", STUCK[2], "The bridge was low.")
    high = ("The lorry got through.", "The bridge was low.", STUCK[2])
    read = imported(FORMAT, corpus(item(1, *STUCK), item(1001, *high, right=2)))
    key = "{stuck, through}"
    assert read.grids == {
        "1": f"The lorry got {key} because <the bridge was low., the driver was singing.>"
    }
    assert read.entries[0].extras == (("x-problems", "1, 1001"),)
    exchanged = imported(FORMAT, corpus(item(1001, *mirror), item(1, *STUCK)))
    assert set(exchanged.grids) == {"1"}
    assert exchanged.told == {"options-exchanged": 1}


def test_a_mirror_that_differs_all_over_makes_a_loose_pair() -> None:
    mirror = ("The passengers got off.", *STUCK[1:])
    read = imported(FORMAT, corpus(item(7, *STUCK), item(1007, *mirror, right=2)))
    assert read.kinds == {"loose pair": 1}
    assert read.told == {"scattered-difference": 1}


def test_a_mirror_that_is_the_same_is_told_of() -> None:
    read = imported(FORMAT, corpus(item(7, *STUCK), item(1007, *STUCK, right=2)))
    assert read.kinds == {"loose pair": 1}
    told = next(one for one in read.issues if one.name == "same-twin")
    assert (told.line, told.problem, told.odd) == (
        5,
        "1007",
        "the same as item 7, which it should mirror",
    )


def test_other_alternatives_make_no_twins() -> None:
    owl = ("The owl hooted.", "It was hungry.", "It was late.")
    vole = ("The vole hid.", "It was hungry.", "It was small.")
    numbers = imported(FORMAT, corpus(item(7, *STUCK), item(1007, *owl), item(507, *vole)))
    assert [entry.id for entry in numbers.entries] == ["7", "1007", "507"]
    words = imported(FORMAT, corpus(item("a", *STUCK), item("a-1000", *STUCK)))
    assert words.kinds == {"single problem": 2}


def test_cause_and_effect_of_the_same_premise_make_a_schema() -> None:
    texts = ("The owl ate the vole.", "It was hungry.", "It fell asleep.")
    read = imported(FORMAT, corpus(item(1501, *texts), item(2001, *texts, "effect", 2)))
    assert read.grids == {
        "1501": "The owl ate the vole {because, so} <it was hungry., it fell asleep.>"
    }
    assert read.entries[0].tags == ()
    assert read.entries[0].extras[1:] == (("x-tags.1", "cause"), ("x-tags.2", "effect"))
    assert read.issues == []


def test_subsets_become_tags() -> None:
    subsets = SourceFile("subsets.json", b'{"easy": [1], "hard": [2, 2, 9]}')
    read = imported(FORMAT, corpus(item(1, *STUCK), item(2, *STUCK)), subsets)
    assert [entry.tags for entry in read.entries] == [("cause", "easy"), ("cause", "hard")]
    assert [(one.name, one.line, one.odd) for one in read.issues] == [
        ("unknown-ids", 0, "1 ids that the file does not have")
    ]


def test_subsets_of_one_twin_are_not_those_of_the_other() -> None:
    subsets = SourceFile("subsets.json", b'{"easy": [501, 1501], "hard": [501]}')
    twin = ("The lorry went fast.", *STUCK[1:])
    read = imported(FORMAT, corpus(item(501, *STUCK), item(1501, *twin, right=2)), subsets)
    (entry,) = read.entries
    assert entry.tags == ("cause", "easy")
    assert dict(entry.extras)["x-tags.1"] == "hard"
    assert "x-tags.2" not in dict(entry.extras)


@pytest.mark.parametrize("data", [b"[1]", b'{"easy": 1}', b'{"!": [1]}', b"{"])
def test_subsets_that_are_none_are_refused(data: bytes) -> None:
    with pytest.raises(FileError, match="subsets.json"):
        imported(FORMAT, corpus(item(1, *STUCK)), SourceFile("subsets.json", data))


def test_items_that_cannot_be_used_are_faults_with_their_lines() -> None:
    read = imported(
        FORMAT,
        corpus(
            item(1, *STUCK),
            item(2, *STUCK, right=3),
            item(3, *STUCK, "reason"),
            item(4, STUCK[0], " ", STUCK[2]),
            item(5, *STUCK).replace("a2>", "a3>"),
            item(6, *STUCK).replace("asks-for", "asks"),
            "<note/>\n",
            item(1, *STUCK),
            item(8, *STUCK, right=""),
        ),
    )
    assert set(read.grids) == {"1"}
    assert read.faults == [
        (5, "the label '3' is not one of 1 to 2"),
        (7, "the question is 'reason', which is neither cause nor effect"),
        (9, "the premise or an alternative is empty"),
        (11, "no element 'a2'"),
        (13, "no attribute 'asks-for'"),
        (15, "'note' where an item is expected"),
        (16, "the id '1' is already used in line 3"),
        (18, "no label, but other problems have one"),
    ]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (corpus(item(1, *STUCK))[:-30], "not well-formed XML"),
        ("<lorries/>", "'lorries' where 'copa-corpus' is expected"),
        ("<copa-corpus>\n</copa-corpus>", "contains no usable problems"),
    ],
)
def test_a_file_that_is_no_corpus_is_refused(data: str, told: str) -> None:
    with pytest.raises(FileError, match=told):
        imported(FORMAT, data)


def test_only_the_published_files_of_the_format_look_like_it() -> None:
    assert claimed(FORMAT) == {
        "copa/xml/copa-all.xml",
        "copa/xml/copa-dev.xml",
        "copa/xml/copa-test.xml",
        "copa/balanced/BCOPA-CE.xml",
        "copa/balanced/balanced-copa-dev-all.xml",
    }


@pytest.mark.parametrize(("name", "count"), [("all", 1000), ("dev", 500), ("test", 500)])
def test_copa(name: str, count: int) -> None:
    read = imported(FORMAT, published(f"copa/xml/copa-{name}.xml").data)
    assert read.kinds == {"single problem": count}
    assert read.rights == {0: count // 2, 1: count // 2}
    assert read.tags == {"cause": count // 2, "effect": count // 2}
    assert read.told["exterior-whitespace"] == (4 if name == "all" else 2)
    assert set(read.told) == {"exterior-whitespace", "possible-name"}


def test_the_subsets_of_the_copa_test_set() -> None:
    test = published("copa/xml/copa-test.xml")
    read = imported(FORMAT, test.data, published(SUBSETS))
    assert (read.tags["easy"], read.tags["hard"]) == (190, 310)
    assert "unknown-ids" not in read.told


def test_balanced_copa() -> None:
    read = imported(FORMAT, published("copa/balanced/balanced-copa-dev-all.xml").data)
    assert read.kinds == {"substitution schema": 347, "loose pair": 153}
    # 242 mirrors list their alternatives in the other order; those in loose pairs keep it.
    assert read.told["options-exchanged"] == 172
    assert read.told["scattered-difference"] == 152
    assert read.told["same-twin"] == 1
    assert read.faults == []
    original = imported(FORMAT, published("copa/xml/copa-dev.xml").data)
    ours, theirs = _sentences(read.entries), _sentences(original.entries)
    assert (len(ours), len(theirs)) == (1000, 500)
    assert all(ours[number] == sentences for number, sentences in theirs.items())


def test_bcopa_ce() -> None:
    read = imported(FORMAT, published("copa/balanced/BCOPA-CE.xml").data)
    assert read.kinds == {"substitution schema": 500}
    assert read.tags == {"cause": 500, "effect": 500}
    assert (read.told["missing-full-stop"], read.faults) == (2, [])
    keys = [entry.grid.keys.values for entry in read.entries if isinstance(entry.grid, Schema)]
    assert [sorted(one) for one in keys] == 500 * [[("because",), ("so",)]]


def _sentences(entries: list[Entry]) -> dict[str, set[str]]:
    return {
        name: {sentence.text for sentence in one.sentences}
        for entry in entries
        for name, one in zip(
            dict(entry.extras)["x-problems"].split(", "), problems(entry.grid), strict=True
        )
    }

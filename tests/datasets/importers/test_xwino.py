import json
from collections import Counter
from pathlib import Path

import pytest

from horsesense.datasets.importers.formats.xwino import FORMAT
from horsesense.datasets.importers.reading import FileImport
from horsesense.datasets.importers.source import SourceFile
from horsesense.datasets.recovery import Journal
from horsesense.errors import ImportFaults
from horsesense.schema import Entry, Header, Issue, Kind, Problem, problems
from horsesense.schema.notation import print_grid
from tests.datasets.importers.imported import issues_of

DATA = Path(__file__).parents[3].parent / "shared" / "data" / "xwino" / "dataset.tsv"


def row(
    language: str,
    tokens: str,
    pronoun: tuple[int, int],
    candidates: list[tuple[int, int]],
    *,
    right: tuple[int, ...] = (0,),
    origin: str = "original",
    reference: str = "?",
    joint: str = " ",
) -> str:
    """A row of tokens with `|` between them; spans are in tokens."""
    words = tokens.split("|")
    sentence = joint.join(words).replace(" .", ".").replace(" ,", ",")

    def span(at: tuple[int, int]) -> tuple[str, list[int], list[str]]:
        inside = words[at[0] : at[1]]
        return joint.join(inside), list(at), inside

    listed = [[*span(at), number in right] for number, at in enumerate(candidates)]
    columns = [words, span(pronoun), listed]
    return "\t".join([language, origin, reference, sentence, *map(json.dumps, columns)])


def read(*rows: str, off: str = "", keep_going: bool = False) -> tuple[list[Entry], list[Issue]]:
    return read_bytes("\n".join([*rows, ""]).encode(), off=off, keep_going=keep_going)


def read_bytes(
    data: bytes, *, off: str = "", keep_going: bool = False
) -> tuple[list[Entry], list[Issue]]:
    journal = Journal([off] if off else [])
    reading = FileImport(
        SourceFile("own.tsv", data), FORMAT, Header("x"), journal, keep_going=keep_going
    )
    return list(reading), issues_of(reading)


def shown(entries: list[Entry]) -> list[tuple[str, str]]:
    return [(entry.id, print_grid(entry.grid)) for entry in entries]


def told(issues: list[Issue]) -> list[tuple[str, int, str, str]]:
    return [(issue.name, issue.line, issue.problem, issue.odd) for issue in issues]


LORRY = [(0, 2), (3, 5)]
LIGHT = row("en", "The|lorry|crossed|the|bridge|because|it|was|light|.", (6, 7), LORRY)
STRONG = row(
    "en", "The|lorry|crossed|the|bridge|because|it|was|strong|.", (6, 7), LORRY, right=(1,)
)
GRID = "[The lorry] crossed [the bridge] because <it = the lorry, the bridge> was {light, strong}."


def test_twins_make_a_schema_with_language_and_origin_as_tags() -> None:
    entries, issues = read(LIGHT, STRONG)
    assert shown(entries) == [("en-1", GRID)]
    assert entries[0].tags == ("en", "original")
    assert dict(entries[0].extras) == {"x-problems": "en-1, en-2"}
    assert [issue[:3] for issue in told(issues)] == [
        ("answer-lowercase", 1, "en-1"),
        ("answer-lowercase", 2, "en-2"),
    ]


def test_twins_are_of_one_language_and_one_origin() -> None:
    other = STRONG.replace("original", "superglue.val")
    entries, _ = read(LIGHT, other)
    assert [(entry.id, entry.tags[1]) for entry in entries] == [
        ("en-1", "original"),
        ("en-2", "superglue.val"),
    ]


def test_other_scripts_stay_to_the_letter_and_keep_their_reference() -> None:
    owl, vole = "The owl ate the vole as it was hungry.", "The owl ate the vole as it was weak."
    rows = (
        row(
            "jp",
            "梟|は|鼠|を食べた。|それ|は空腹だった。　",
            (4, 5),
            [(0, 1), (2, 3)],
            joint="",
            reference=owl,
        ),
        row(
            "jp",
            "梟|は|鼠|を食べた。|それ|は弱かった。　",
            (4, 5),
            [(0, 1), (2, 3)],
            right=(1,),
            joint="",
            reference=vole,
        ),
    )
    entries, issues = read(*rows)
    grid = "[梟]は[鼠]を食べた。<それ = 梟, 鼠>{は空腹だった, は弱かった}。"
    assert shown(entries) == [("jp-1", grid)]
    assert dict(entries[0].extras)["x-reference"] == f"{owl} / {vole}"
    assert [issue[:3] for issue in told(issues)] == [
        ("exterior-whitespace", 1, "jp-1"),
        ("exterior-whitespace", 2, "jp-2"),
    ]


def test_answers_of_other_languages_are_left_as_they_stand() -> None:
    entries, issues = read(
        row("ru", "Сова|съела|мышь|,|и|она|уснула|.", (5, 6), [(0, 1), (2, 3)]),
        row("fr", "La|chouette|a|vu|la|souris|.|Elle|dort|.", (7, 8), [(0, 2), (4, 6)]),
    )
    assert shown(entries) == [
        ("ru-1", "[Сова] съела [мышь], и <она = Сова*, мышь> уснула."),
        ("fr-2", "! [La chouette] a vu [la souris]. <Elle = La chouette*, la souris> dort."),
    ]
    assert issues == []


def test_a_full_stop_is_not_part_of_the_pronoun() -> None:
    entries, issues = read(row("ru", "Сова|и|мышь|ждали|его.", (4, 5), [(0, 1), (2, 3)]))
    assert shown(entries) == [("ru-1", "[Сова] и [мышь] ждали <его = Сова*, мышь>.")]
    assert told(issues) == [("punctuation-in-pronoun", 1, "ru-1", "'его.'")]


def test_quotation_marks_that_the_tokenizer_changed_are_found() -> None:
    tokens = 'Nora|said|"|no|"|to|Lena|as|she|left|.'
    text = row("en", tokens, (8, 9), [(0, 1), (6, 7)])
    changed = text.replace(json.dumps('"'), '"``"', 1).replace(json.dumps('"'), "\"''\"", 1)
    assert changed != text
    entries, _ = read(changed)
    grid = '[Nora] said " no " to [Lena] as <she = Nora*, Lena> left.'
    assert shown(entries) == [("en-1", grid)]


def test_tokens_may_go_beyond_the_candidate_which_counts() -> None:
    text = row("en", "Nora|and|Lena|met|because|she|called|.", (5, 6), [(0, 1), (2, 3)])
    entries, issues = read(text.replace("[2, 3]", "[2, 4]"))
    assert shown(entries) == [("en-1", "[Nora] and [Lena] met because <she = Nora*, Lena> called.")]
    odd = "the tokens of 'Lena' say 'Lena met'"
    assert told(issues) == [("tokens-beyond-candidate", 1, "en-1", odd)]


def test_a_candidate_inside_another_is_not_marked() -> None:
    text = row("en", "Nora|'s|aunt|left|as|she|sang|.", (5, 6), [(0, 1), (0, 3)])
    entries, issues = read(text.replace("Nora 's", "Nora's"))
    assert shown(entries) == [("en-1", "[2: Nora's aunt] left as <she = Nora*, Nora's aunt> sang.")]
    assert [issue.name for issue in issues] == ["candidates-overlap"]


def test_possessive_answers_are_made_in_english() -> None:
    text = row("en", "Nora|and|Lena|lost|her|kite|.", (4, 5), [(0, 1), (2, 3)])
    entries, _ = read(text)
    assert shown(entries) == [("en-1", "[Nora] and [Lena] lost <her's = Nora*, Lena> kite.")]
    entries, _ = read(text, off="answer-possessive")
    assert problems(entries[0].grid)[0].sentences[0].text == "Nora and Lena lost Nora kite."


def test_the_names_of_the_english_parts_are_exchanged_unless_that_is_switched_off() -> None:
    rows = (
        LIGHT.replace("original", "wsc_naive.test"),
        STRONG.replace("original", "wsc_naive.train"),
        row(
            "jp",
            "梟|は|鼠|を見た。|それ|は寝た。",
            (4, 5),
            [(0, 1), (2, 3)],
            joint="",
            origin="test",
        ),
    )
    entries, issues = read(*rows)
    origins = [entry.tags[1] for entry in entries]
    assert origins == ["wsc_naive.train", "wsc_naive.test", "test"]
    said = [issue for issue in told(issues) if issue[0] == "splits-exchanged"]
    odd = "1 rows are called wsc_naive.test, 1 rows are called wsc_naive.train"
    assert said == [("splits-exchanged", 0, "", odd)]
    entries, _ = read(*rows, off="splits-exchanged")
    assert [entry.tags[1] for entry in entries] == ["wsc_naive.test", "wsc_naive.train", "test"]


def test_bad_rows_are_faults_with_their_lines_and_the_rest_is_read() -> None:
    text = row("en", "Nora|and|Lena|met|because|she|called|.", (5, 6), [(0, 1), (2, 3)])
    rows = (
        text,
        text.replace("true", "false"),
        text.replace("false", "true"),
        text.replace("true", "1"),
        text.replace("[5, 6]", "[5, 66]"),
        text.replace("[5, 6]", "[4, 5]"),
        text.replace("[2, 3]", "[3, 4]"),
        text.replace('"met", "because"', '"meet", "because"'),
        text.replace('"met", "because"', '"because"'),
        text.replace('"met", "because"', '7, "because"'),
        text.replace('["Nora", "and"', '{"Nora", "and"'),
        text.replace('["she", [5, 6], ["she"]]', "5"),
        text.replace('["she", [5, 6], ["she"]]', '["she", [5, 6]]'),
        text.replace('["she", [5, 6], ["she"]]', '[".", [7, 8], ["."]]'),
        text.replace("\t?", ""),
        text.replace("en\toriginal", "en\tno origin"),
    )
    assert all(one != text for one in rows[1:])
    entries, issues = read(*rows, keep_going=True)
    assert [entry.id for entry in entries] == ["en-1"]
    faults = [(one.line, one.odd) for one in issues if one.kind == "fault"]
    assert faults[:-1] == [
        (2, "0 of 2 candidates are right"),
        (3, "2 of 2 candidates are right"),
        (4, "a candidate is not [text, [start, end], tokens, true or false]"),
        (5, "[5, 66] are not the first and the last of 8 tokens"),
        (6, "the pronoun 'she' does not stand at [4, 5]"),
        (7, "the candidate 'Lena' does not stand at [3, 4]"),
        (8, "the token 'meet' does not follow 'Nora and Lena'"),
        (9, "the token 'because' does not follow 'Nora and Lena'"),
        (10, "the token 7 is not a string"),
        (11, "the tokens are not JSON: Expecting ':' delimiter: line 1 column 8 (char 7)"),
        (12, "the pronoun are not a JSON list"),
        (13, "the pronoun is not [text, [start, end], tokens]"),
        (14, "the pronoun '.' does not stand at [7, 8]"),
        (15, "6 fields, but 7 are expected"),
    ]
    assert faults[-1][0] == 16
    with pytest.raises(ImportFaults):
        read(*rows)


def test_bytes_that_are_no_utf_8_are_a_fault() -> None:
    entries, issues = read_bytes(LIGHT.encode() + b"\nen\t\xff", keep_going=True)
    assert [entry.id for entry in entries] == ["en-1"]
    assert ("not-utf-8", 2, "", "byte 0xff at column 4 is not UTF-8") in told(issues)


# rows, entries
REAL = {
    ("en", "original"): (273, 139),
    ("en", "superglue.train"): (135, 106),
    ("en", "superglue.val"): (35, 33),
    ("en", "wsc_naive.train"): (1320, 661),
    ("en", "wsc_naive.test"): (562, 281),
    ("jp", "test"): (273, 157),
    ("jp", "train"): (686, 381),
    ("ru", "superglue.train"): (247, 140),
    ("ru", "superglue.val"): (68, 67),
    ("pt", "original"): (263, 134),
    ("fr", "original"): (83, 42),
    ("zh", "original"): (16, 8),
}


@pytest.mark.skipif(not DATA.exists(), reason="the published file is not here")
def test_every_row_of_the_published_file_is_in_a_problem() -> None:
    data = DATA.read_bytes()
    assert FORMAT.looks_like(SourceFile("dataset.tsv", data))
    entries, issues = read_bytes(data)
    rows: Counter[tuple[str, ...]] = Counter()
    for entry in entries:
        rows[entry.tags] += len(problems(entry.grid))
    assert {tags: (rows[tags], n) for tags, n in Counter(e.tags for e in entries).items()} == REAL
    kinds = Counter(entry.grid.kind for entry in entries)
    assert (kinds[Kind.SUBSTITUTION], kinds[Kind.LOOSE], kinds[Kind.SINGLE]) == (1319, 493, 337)
    counts = Counter(issue.name for issue in issues)
    expected = {
        "splits-exchanged": 1,
        "candidates-overlap": 13,
        "punctuation-in-pronoun": 16,
        "tokens-beyond-candidate": 2,
        "exterior-whitespace": 4,
        "candidate-missing": 0,
    }
    assert {name: counts[name] for name in expected} == expected


@pytest.mark.skipif(not DATA.exists(), reason="the published file is not here")
def test_the_published_sentences_and_labels_are_given_back_to_the_letter() -> None:
    entries, _ = read_bytes(DATA.read_bytes())
    made: dict[str, Problem] = {}
    for entry in entries:
        names = dict(entry.extras)["x-problems"].split(", ")
        made |= dict(zip(names, problems(entry.grid), strict=True))
    lines = DATA.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        language, _, _, sentence, _, pronoun, candidates = line.split("\t")
        problem = made[f"{language}-{number}"]
        assert problem.right is not None
        blank = json.loads(pronoun)[0].rstrip(".,")
        shown = problem.statement.text.replace("___", blank)
        assert "".join(shown.split()) == "".join(sentence.split())
        right = next(text for text, _, _, is_right in json.loads(candidates) if is_right)
        (answer,) = problem.options[problem.right]
        if language == "en":
            assert answer.lower().startswith(right.lower())
        else:
            assert answer == right

from collections import Counter

import pytest

from horsesense.datasets.importers.formats.winogender import FORMAT
from horsesense.datasets.importers.source import SourceFile
from horsesense.schema import problems
from tests.datasets.importers.imported import Imported, claimed, imported, published

PAY = "The plumber told {} that {} would be paid."
FINISH = "The plumber told {} that {} would be finished."
TEMPLATES = "occupation(0)\tother-participant(1)\tanswer\tsentence"


def row(name: str, sentence: str, *more: str) -> str:
    return "\t".join((f"plumber.{name}.txt", sentence, *more))


def read(*rows: str, header: str = "sentid\tsentence") -> Imported:
    return imported(FORMAT, "\n".join((header, *rows)))


def test_twins_have_occupation_participant_and_gender_in_common() -> None:
    found = read(
        row("tenant.1.female", FINISH.format("the tenant", "she")),
        row("someone.1.female", FINISH.format("someone", "she")),
        row("tenant.0.female", PAY.format("the tenant", "she")),
        row("someone.0.female", PAY.format("someone", "she")),
    )
    keys = "{paid, finished}."
    assert found.grids == {
        "plumber.tenant.female": "[The plumber] told [the tenant] that "
        f"<she = the plumber, the tenant> would be {keys}",
        "plumber.someone.female": "[The plumber] told [someone] that "
        f"<she = the plumber, someone> would be {keys}",
    }
    assert found.entries[0].tags == ("female", "plumber", "cluster:plumber.tenant")
    assert dict(found.entries[0].extras) == {
        "x-problems": "plumber.tenant.0.female.txt, plumber.tenant.1.female.txt"
    }
    assert found.issues == []


@pytest.mark.parametrize(
    ("gender", "pronoun", "answers"),
    [
        ("male", "his", "<his = the plumber*, the tenant>"),
        ("male", "him", "<him = the plumber*, the tenant>"),
        ("neutral", "their", "<their = the plumber*, the tenant>"),
        ("female", "her", "<her's = the plumber*, the tenant>"),
    ],
)
def test_the_pronoun_is_known_by_its_gender(gender: str, pronoun: str, answers: str) -> None:
    after = "." if pronoun == "him" else " wrench."
    sentence = f"The plumber gave the tenant {pronoun}{after}"
    found = read(row(f"tenant.0.{gender}", sentence))
    name = f"plumber.tenant.{gender}"
    assert found.grids == {name: f"[The plumber] gave [the tenant] {answers}{after}"}


def test_whether_her_is_possessive_is_known_from_its_siblings() -> None:
    sentence = "The plumber saw the tenant pay {} yesterday."
    pronouns = {"female": "her", "male": "him"}
    rows = [row(f"tenant.0.{one}", sentence.format(word)) for one, word in pronouns.items()]
    told, alone = (problems(read(*given).entries[0].grid)[0].options for given in (rows, rows[:1]))
    assert told == (("the plumber",), ("the tenant",))
    assert alone == (("the plumber's",), ("the tenant's",))


def test_a_noun_with_another_article_is_an_answer_with_the_definite_one() -> None:
    found = read(row("tenant.1.male", "The plumber met a tenant when he was free."))
    assert found.grids["plumber.tenant.male"] == (
        "[The plumber] met [a tenant] when <he = the plumber, the tenant*> was free."
    )
    assert found.told == {"candidate-differs": 1}


def test_the_plural_verb_after_they_is_reported() -> None:
    found = read(row("tenant.1.neutral", "The plumber met the tenant when they were free."))
    assert [(i.kind, i.name, i.line, i.problem) for i in found.issues] == [
        ("oddity", "plural-verb", 2, "plumber.tenant.1.neutral.txt")
    ]
    assert "the tenant*> were free" in found.grids["plumber.tenant.neutral"]


def test_gotcha_is_a_tag_and_is_said_of_each_problem() -> None:
    found = read(
        row("tenant.0.male", PAY.format("the tenant", "he"), "0"),
        row("tenant.1.male", FINISH.format("the tenant", "he"), "1\r"),
        row("tenant.1.neutral", FINISH.format("the tenant", "they"), "0\r"),
        header="sentid\tsentence\tgotcha\r",
    )
    assert [entry.tags for entry in found.entries] == [
        ("male", "plumber", "cluster:plumber.tenant", "gotcha"),
        ("neutral", "plumber", "cluster:plumber.tenant"),
    ]
    extras = dict(found.entries[0].extras)
    assert (extras["x-gotcha.1"], extras["x-gotcha.2"]) == ("0", "1")


def test_templates_are_problems_whose_pronoun_is_left_open() -> None:
    start = "The $OCCUPATION told the $PARTICIPANT that"
    found = read(
        f"plumber\ttenant\t1\t{start} $NOM_PRONOUN was finished.",
        f"plumber\ttenant\t0\t{start} $NOM_PRONOUN was paid.",
        f"baker\ttenant\t0\t{start} $POSS_PRONOUN oven was hot.",
        header=TEMPLATES,
    )
    assert found.grids == {
        "plumber.tenant": "[The plumber] told [the tenant] that "
        "<_ = the plumber, the tenant> was {paid, finished}.",
        "baker.tenant": "[The baker] told [the tenant] that "
        "<_'s = the baker*, the tenant> oven was hot.",
    }
    assert dict(found.entries[0].extras) == {"x-problems": "plumber.tenant.0, plumber.tenant.1"}
    assert found.entries[0].tags == ("plumber",)


def test_statistics_of_occupations_may_be_given_along() -> None:
    header = "occupation\tbergsma_pct_female\tbls_pct_female\tbls_year"
    statistics = SourceFile("stats", f"{header}\nplumber\t1.5\t3.25\t2015\nshort\n".encode())
    rows = [
        row("tenant.0.male", PAY.format("the tenant", "he")),
        "baker.tenant.0.male.txt\tThe baker told the tenant that he was hungry.",
    ]
    found = imported(FORMAT, "\n".join(("sentid\tsentence", *rows)), statistics)
    assert dict(found.entries[0].extras) == {
        "x-bergsma-pct-female": "1.5",
        "x-bls-pct-female": "3.25",
        "x-bls-year": "2015",
        "x-problems": "plumber.tenant.0.male.txt",
    }
    assert [(i.kind, i.name, i.line, i.odd) for i in found.issues] == [
        ("oddity", "no-statistics", 0, "the companion has nothing about baker"),
        ("fault", "bad-row", 0, "stats:3: 1 fields, but 4 are expected"),
    ]
    useless = imported(FORMAT, "\n".join(("sentid\tsentence", *rows)), SourceFile("x", b"a\nb\n"))
    assert useless.faults == [(0, "x has no statistics of occupations")]


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ("plumber.tenant.2.male.txt\tThe plumber met the tenant when he left.", "the id"),
        ("plumber.tenant.1.other.txt\tThe plumber met the tenant when he left.", "the id"),
        ("plumber..1.male.txt\tThe plumber met the tenant when he left.", "the id"),
        (row("tenant.1.male", "The plumber met the tenant."), "0 male pronouns"),
        (row("tenant.1.male", "He met the plumber and the tenant as he left his."), "2 male"),
        (row("tenant.1.male", "The plumber met the tenants when he left."), "'tenant' does not"),
        ("plumber.tenant.1.male.txt", "1 fields, but 2 are expected"),
    ],
)
def test_a_bad_sentence_is_a_fault_with_its_line(bad: str, why: str) -> None:
    ((line, odd),) = read(row("tenant.0.male", PAY.format("the tenant", "he")), bad).faults
    assert line == 3
    assert why in odd


@pytest.mark.parametrize(
    "bad",
    [
        "plumber\ttenant\t2\tThe $OCCUPATION met the $PARTICIPANT and $NOM_PRONOUN left.",
        "plumber\ttenant\t1\tThe $OCCUPATION met the $PARTICIPANT.",
        "plumber\ttenant\t1\tThe $OTHER met the $PARTICIPANT and $NOM_PRONOUN left.",
        "plumber\t\t1\tThe $OCCUPATION met the $PARTICIPANT and $NOM_PRONOUN left.",
    ],
)
def test_a_bad_template_is_a_fault_with_its_line(bad: str) -> None:
    good = "baker\ttenant\t0\tThe $OCCUPATION met the $PARTICIPANT as $NOM_PRONOUN left."
    assert [line for line, _ in read(good, bad, header=TEMPLATES).faults] == [3]


def test_a_flag_that_is_no_flag_is_a_fault() -> None:
    header = "sentid\tsentence\tgotcha"
    good = row("tenant.0.male", PAY.format("the tenant", "he"), "0")
    bad = row("tenant.1.male", PAY.format("the tenant", "he"), "no")
    assert read(good, bad, header=header).faults == [(3, "gotcha is 'no', neither 0 nor 1")]


@pytest.mark.parametrize("name", ["all_sentences.tsv", "all_sentences_gotcha.tsv"])
def test_the_published_sentences_give_360_pairs(name: str) -> None:
    statistics = published("winogender/occupations-stats.tsv")
    found = imported(FORMAT, published(f"winogender/{name}").data, statistics)
    assert found.kinds == {"substitution schema": 176, "loose pair": 184}
    assert not found.faults
    assert found.told["plural-verb"] == 34
    assert sum(found.rights.values()) == 720 and found.rights[0] == 360
    genders = {tag: found.tags[tag] for tag in ("male", "female", "neutral")}
    assert genders == dict.fromkeys(genders, 120)
    clusters = {tag: count for tag, count in found.tags.items() if tag.startswith("cluster:")}
    assert clusters == dict.fromkeys(clusters, 3) and len(clusters) == 120
    assert len(found.tags) == 60 + 3 + 120 + ("gotcha" in name)
    fields = Counter(name for entry in found.entries for name, _ in entry.extras)
    assert fields["x-bls-pct-female"] == fields["x-bls-year"] == 360
    flagged = [value for one in found.entries for key, value in one.extras if "gotcha." in key]
    assert flagged.count("1") == (240 if "gotcha" in name else 0)


def test_most_published_variants_are_the_same_sentences_when_filled() -> None:
    found = imported(FORMAT, published("winogender/all_sentences.tsv").data)
    filled: dict[tuple[str, int | None], set[tuple[str, ...]]] = {}
    for entry in found.entries:
        stem = entry.id.rpartition(".")[0]
        for one in problems(entry.grid):
            filled.setdefault((stem, one.right), set()).add(
                tuple(two.text for two in one.sentences)
            )
    assert Counter(map(len, filled.values())) == {1: 206, 2: 34}


def test_variants_that_differ_in_gender_are_one_cluster() -> None:
    pronouns = {"male": "he", "female": "she", "neutral": "they"}
    found = read(
        *(row(f"tenant.0.{one}", PAY.format("the tenant", it)) for one, it in pronouns.items())
    )
    assert [one.tags[2] for one in found.entries] == ["cluster:plumber.tenant"] * 3
    template = "plumber\ttenant\t0\tThe $OCCUPATION met the $PARTICIPANT as $NOM_PRONOUN left."
    assert read(template, header=TEMPLATES).entries[0].tags == ("plumber",)


def test_the_published_templates_give_60_pairs() -> None:
    found = imported(FORMAT, published("winogender/templates.tsv").data)
    assert found.kinds == {"substitution schema": 29, "loose pair": 31}
    assert found.rights == {0: 60, 1: 60}
    assert not found.faults


def test_only_its_own_files_are_claimed() -> None:
    names = ("all_sentences.tsv", "all_sentences_gotcha.tsv", "templates.tsv")
    assert claimed(FORMAT) == {f"winogender/{name}" for name in names}

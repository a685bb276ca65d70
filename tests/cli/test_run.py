from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from horsesense.evaluation.inference.doctor import CANARIES
from horsesense.evaluation.protocol import find_source, run_protocol
from horsesense.results import Plan
from horsesense.results.document import from_document
from horsesense.store import Store, count_kept, list_runs, load_run
from tests.cli.conftest import GARDEN, Run, write
from tests.cli.quay import HARBOUR_SCHEMAS
from tests.embedded import embedded_default

STORE = Path("horsesense.db")
RUNS = Path("horsesense-runs")
# Baselines need no weights, and a few draws show as well as many that there are intervals.
QUICK = ("--resamples", "20")
LONGER = ("run", "--model", "longer", *QUICK)


@pytest.fixture
def harbour_file(run: Run) -> str:
    """Schemas of which some can be switched."""
    return write("quay.schemas", HARBOUR_SCHEMAS)


def folder_of(output: str) -> Path:
    """The folder that a run names in its last line."""
    found = re.search(r"\npage: (\S+)/report\.html\nmore: .*\n\Z", output)
    assert found is not None, output
    return Path(found[1])


def states(folder: Path) -> dict[str, int]:
    """When each file was written."""
    return {str(one): one.stat().st_mtime_ns for one in folder.rglob("*") if one.is_file()}


def test_a_run_prints_a_summary_and_writes_a_page_and_files(run: Run, harbour_file: str) -> None:
    result = run(*LONGER, "--data", harbour_file)
    assert result.exit_code == 0, result.output
    folder = folder_of(result.stdout)
    assert folder.parent == RUNS
    assert "longer" in result.stdout.splitlines()[0]
    assert "<html" in (folder / "report.html").read_text()
    assert "<svg" in (folder / "report.html").read_text()
    written = {str(one.relative_to(folder)) for one in folder.rglob("*") if one.is_file()}
    texts = {f"report.{suffix}" for suffix in ("html", "md", "tex")}
    assert written == texts | {"summary.txt", "estimates.csv", "run.json"}


def test_results_are_the_same_in_a_file_in_the_store_and_on_stdout(
    run: Run, harbour_file: str
) -> None:
    folder = folder_of(run(*LONGER, "--data", harbour_file).stdout)
    printed = json.loads(run(*LONGER, "--data", harbour_file, "--json").stdout)
    assert run("report", "--format", "json", "--output", "results.json").exit_code == 0
    assert list(printed)[:4] == ["verdict", "findings", "page", "warnings"]
    assert printed["verdict"].startswith("longer was tested on 5 schemas of quay: too few")
    assert printed["findings"][0]["both_twins_right"]["low"] == 0
    assert Path(printed["page"]) == folder / "report.html"
    written = json.loads(Path("results.json").read_text())
    assert {**printed, "page": None} == written
    with Store.open(STORE) as store:
        kept = load_run(store, folder.name)
    read = from_document(printed)
    assert read.record == kept.record
    assert read.estimates == kept.estimates
    assert (read.options, read.problems, read.skipped) == (
        kept.options,
        kept.problems,
        kept.skipped,
    )
    assert dict(read.answer_sets) == dict(kept.answer_sets)


def entries_of_both_kinds(schemas: int, singles: int) -> str:
    """So many schemas and single problems, in notation."""
    twins = "The {0} cart carried the crate until <it = the cart, the crate> was {{full, heavy}}.\n"
    alone = "The {0} cart carried the crate until <the cart*, the crate> was full.\n"
    return "".join(
        (twins if at < schemas else alone).format(f"{at}th") for at in range(schemas + singles)
    )


def test_thirty_entries_of_which_eight_are_schemas_are_too_few_schemas(run: Run) -> None:
    mixed = write("mixed.schemas", entries_of_both_kinds(8, 24))
    result = run(*LONGER, "--data", mixed, "--first", "30", "--perturb", "none")
    assert result.exit_code == 0, result.output
    folder = folder_of(result.stdout)
    told = "longer was tested on the first 8 schemas of mixed: too few schemas to tell."
    asked = (
        "Evaluation was limited to the first 30 schemas and single problems of each dataset: 8"
        " schemas and 22 single problems of mixed."
    )
    assert told in " ".join(result.stdout.split())
    assert told in " ".join((folder / "summary.txt").read_text().split())
    for name in ("report.html", "report.md"):
        text = " ".join((folder / name).read_text().split())
        assert told in text and asked in text, name
    printed = from_document(
        json.loads(
            run(*LONGER, "--data", mixed, "--first", "30", "--perturb", "none", "--json").stdout
        )
    )
    clusters = {one.metric: (one.n_clusters, one.reason) for one in printed.estimates}
    assert clusters["schema-accuracy"] == (8, "fewer than 30 clusters")
    assert clusters["problem-accuracy"] == (30, "")


def test_a_run_of_one_model_on_one_dataset_takes_twenty_lines_of_eighty_columns(run: Run) -> None:
    lines = run(*LONGER, "--data", "hs-adversarial").stdout.splitlines()
    assert len(lines) <= 20 and max(map(len, lines)) <= 80
    assert lines[0].startswith("longer ")
    assert lines[-2].startswith("page: ") and lines[-1].startswith("more: horsesense profile --all")


def test_a_run_draws_its_schemas_by_the_seed_and_says_so(run: Run) -> None:
    arguments = (*LONGER, "--data", "hs-adversarial", "--perturb", "none", "--method", "standard")
    drawn = []
    for seed in ("1", "2"):
        result = run(*arguments, "--limit", "30", "--seed", seed)
        assert "of the 60 sampled problems of hs-adversarial" in result.stdout
        page = (folder_of(result.stdout) / "report.html").read_text()
        assert f"a sample of 30 schemas of each dataset, drawn with seed {seed}" in page
        with Store.open(STORE) as store:
            drawn.append({problem.entry for problem in load_run(store, "latest").problems})
    assert len(drawn[0]) == len(drawn[1]) == 30 and drawn[0] != drawn[1]


def test_a_sample_and_the_first_schemas_exclude_each_other(run: Run, harbour_file: str) -> None:
    result = run(*LONGER, "--data", harbour_file, "--limit", "2", "--first", "2")
    assert result.exit_code == 2 and "give only one" in result.stderr
    Path("plan.yaml").write_text("models: longer\nfirst: 2\n")
    saved = run("run", "plan.yaml", "--limit", "3", "--dry-run", "--save-plan", "saved.yaml")
    assert saved.exit_code == 0
    assert "sample: 3\nfirst: null\n" in Path("saved.yaml").read_text()


def test_a_second_run_says_the_same_and_writes_nothing(run: Run, harbour_file: str) -> None:
    first = run(*LONGER, "--data", harbour_file)
    before = states(folder_of(first.stdout))
    second = run(*LONGER, "--data", harbour_file)
    assert (second.exit_code, second.stdout) == (0, first.stdout)
    assert states(folder_of(first.stdout)) == before
    with Store.open(STORE) as store:
        assert len(list_runs(store)) == 1


def test_a_fresh_run_measures_again_and_finds_the_same(run: Run, harbour_file: str) -> None:
    first = run(*LONGER, "--data", harbour_file, "--json").stdout
    fresh = run(*LONGER, "--data", harbour_file, "--fresh", "--json").stdout
    tables = [json.loads(one)["tables"] for one in (first, fresh)]
    assert tables[0]["estimates"] == tables[1]["estimates"]


def test_the_output_goes_where_it_is_told(run: Run, harbour_file: str) -> None:
    result = run(*LONGER, "--data", harbour_file, "--output_path", "deep/er/out")
    assert result.exit_code == 0
    assert folder_of(result.stdout) == Path("deep/er/out")
    assert not RUNS.exists()
    # Another run does not take the place of this one unasked.
    other = (*LONGER, "--data", harbour_file, "--seed", "5", "-o", "deep/er/out")
    refused = run(*other)
    assert refused.exit_code == 5
    assert "deep/er/out is the folder of run" in refused.stderr
    with Store.open(STORE) as store:  # it was refused before anything was measured
        assert len(list_runs(store)) == 1
    assert run(*other, "--force").exit_code == 0


def test_foreign_files_are_refused_before_anything_is_asked(run: Run, harbour_file: str) -> None:
    Path("mine").mkdir()
    write("mine/notes.txt", "mine")
    result = run(*LONGER, "--data", harbour_file, "-o", "mine")
    assert result.exit_code == 5
    assert "mine has files that are not from a run" in result.stderr
    assert not STORE.exists()


def test_a_dry_run_stores_and_writes_nothing(run: Run, harbour_file: str) -> None:
    before = sorted(Path().iterdir())
    result = run(*LONGER, "--data", harbour_file, "--dry-run")
    assert result.exit_code == 0
    assert "1 dataset in" in result.stdout
    assert "no queries: baselines do not use a model" in result.stdout
    told = json.loads(run(*LONGER, "--data", harbour_file, "--dry-run", "--json").stdout)
    assert (told["datasets"], told["queries"], told["minutes"]) == (1, 0, 0)
    assert told["sentences"] > told["forms"] > 1
    assert sorted(Path().iterdir()) == before


def test_what_cannot_be_had_is_missing_and_the_rest_is_reported(
    run: Run, harbour_file: str
) -> None:
    result = run(*LONGER, "--model", "./none", "--data", harbour_file, "--perturb", "none")
    assert result.exit_code == 7
    assert "missing: ./none: there is no folder and no GGUF file" in result.stderr
    page = (folder_of(result.stdout) / "report.html").read_text()
    assert "there is no folder and no GGUF file" in page
    again = run(*LONGER, "--model", "./none", "--data", harbour_file, "--perturb", "none")
    assert again.exit_code == 7


def test_rows_that_look_like_twins_are_mentioned(run: Run) -> None:
    rows = [
        "text,option1,option2,answer",
        "A piano ___ go through a wide door.,can,cannot,1",
        "A piano ___ go through a narrow door.,can,cannot,2",
    ]
    Path("attic.csv").write_text("\n".join(rows))
    result = run(*LONGER, "--data", "attic.csv", "--perturb", "none")
    assert result.exit_code == 0
    assert "attic.csv: no twins: " in result.stderr and "1 and 2 look like twins" in result.stderr


def test_what_was_not_asked_for_by_its_name_is_told_in_the_summary_and_is_no_failure(
    run: Run, harbour_file: str
) -> None:
    first, second = (run(*LONGER, "--data", harbour_file) for _ in range(2))
    assert (first.exit_code, second.exit_code) == (0, 0)
    profile = run("profile", "--all").stdout
    assert re.search(r"\d+ variants were skipped; see “Skipped”", " ".join(profile.split()))
    assert "missing: " not in first.stderr


@pytest.mark.parametrize(
    ("arguments", "lacking"),
    [
        (("--perturb", "voice"), "garden, voice: not evaluated: "),
        (
            ("--perturb", "none", "--subset", "equal-length"),
            "garden: no problem is in subset 'equal-length': baselines see no tokens,"
            " and chat models show none\n",
        ),
        (
            ("--perturb", "none", "--subset", "kinds and not kinds"),
            "garden: no problem is in subset 'kinds and not kinds'\n",
        ),
        (
            ("--perturb", "none", "--data", "none.schemas"),
            "none.schemas: there is no file none.schemas",
        ),
        (("--perturb", "none", "--method", "partial"), "method partial: no model of the run"),
    ],
)
def test_what_was_named_and_is_not_there_is_told(
    run: Run, garden: Path, arguments: tuple[str, ...], lacking: str
) -> None:
    result = run(*LONGER, "--data", garden.name, *arguments)
    assert result.exit_code == 7, result.output
    assert f"missing: {lacking}" in result.stderr
    assert folder_of(result.stdout).exists()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--model", "./none"), 6, "there is no folder and no GGUF file at './none'"),
        (("--model", "smollm2-135"), 3, "did you mean smollm2-135m"),
        (("--data", "hs-winogrand"), 3, "did you mean hs-winograd"),
        (("--data", "none.schemas"), 5, "there is no file none.schemas"),
        (("--perturb", "swiched"), 3, "did you mean switched"),
        (("--perturb", "none,switched"), 2, "'none' cannot be combined"),
        (("--method", "smart"), 3, "no scoring method named 'smart'"),
        (("--subset", "owls and"), 2, "the end stands where a name is expected"),
        (("--subset", "owls"), 3, "no mark of a problem named 'owls'"),
        (("--seed", str(10**30)), 2, "is not in the range"),
        (("--wrapper", "maybe"), 3, "no wrapper named 'maybe'"),
        (("--frequencies", "none.tsv"), 5, "none.tsv cannot be read"),
        (("--output", "garden.schemas"), 5, "garden.schemas is not a folder"),
        (("--first", "0"), 2, "0 is not in the range"),
        (("none.yaml",), 5, "none.yaml cannot be read: No such file or directory"),
        (("hs-winograd",), 5, "for a dataset use --data hs-winograd, and for a model --model hs-"),
        (("garden.schemas",), 5, "for a dataset use --data garden.schemas"),
        (("--data", "hay <keeps, rots>"), 5, "'hay <keeps, rots>' is neither a file nor the name"),
        (
            ("one.yaml", "--config", "two.yaml"),
            2,
            "give only one plan file, not both one.yaml and two.yaml",
        ),
    ],
)
def test_bad_input_is_an_error_with_a_reason(
    run: Run, garden: Path, arguments: tuple[str, ...], code: int, message: str
) -> None:
    usual = {"--data": garden.name, "--model": "longer"}
    given = [word for flag in usual if flag not in arguments for word in (flag, usual[flag])]
    result = run("run", *given, *QUICK, *arguments)
    assert (result.exit_code, result.stdout) == (code, ""), result.output
    assert message in result.stderr
    assert not RUNS.exists()


def test_a_plan_is_read_and_options_overrule_it(run: Run, garden: Path) -> None:
    write("plan.yaml", "models: first\ndata: [garden.schemas]\nperturbations: none\nseed: 7\n")
    told = json.loads(run("run", "plan.yaml", *QUICK, "--seed", "3", "--json").stdout)
    columns = told["tables"]["run"]["columns"]
    plan = told["tables"]["run"]["rows"][0][columns.index("plan")]
    assert (plan["models"], plan["seed"], plan["resamples"]) == (["first"], 3, 20)
    assert plan["perturbations"] == ["none"]


def test_a_saved_plan_makes_the_same_run(run: Run, garden: Path) -> None:
    chosen = ("--model", "longer", "--data", garden.name, "--perturb", "none", *QUICK)
    first = run("run", *chosen, "--first", "1", "--save-plan", "plan.yaml")
    second = run("run", "-C", "plan.yaml")
    assert second.exit_code == 0, second.output
    assert second.stdout == first.stdout
    refused = run("run", *chosen, "--save-plan", "plan.yaml")
    assert refused.exit_code == 5
    assert "plan.yaml already exists" in refused.stderr


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        ("models: longer\nperturbation: none\n", "plan.yaml:2: a plan has no field"),
        ("models: longer\nlimit: many\n", "plan.yaml:2: limit is 'many', but must be a whole"),
        ("models: [\n", "plan.yaml:"),
        ("models: []\n", "plan.yaml:1: models is []"),
        ("models: longer\nresamples: 0\n", "plan.yaml:2: resamples is 0"),
        ("seed: 0x" + "f" * 5000, "plan.yaml:1: seed is a number with too many digits"),
        ("limit: 2001-99-99\n", "plan.yaml:1: '2001-99-99' is not a valid YAML"),
        ("seed: 1\nmodels: " + "[" * 900, "plan.yaml:2: this is nested too deeply"),
    ],
)
@pytest.mark.parametrize("flags", [(), ("--dry-run",)])
def test_mistakes_in_a_plan_are_told_with_their_line(
    run: Run, plan: str, message: str, flags: tuple[str, ...]
) -> None:
    result = run("run", write("plan.yaml", plan), *flags)
    assert (result.exit_code, result.stdout) == (5 if "[\n" in plan else 2, "")
    assert message in result.stderr


def test_a_run_can_be_had_again_to_the_digit(run: Run, garden: Path) -> None:
    run(*LONGER, "--data", garden.name, "--perturb", "none")
    with Store.open(STORE) as store:
        id = load_run(store).record.id
    result = run("run", "--again", id)
    assert (result.exit_code, result.stderr) == (0, "")
    head, changed, asked, numbers = result.stdout.splitlines()
    assert head.startswith(f"repeated run {id} of ")
    assert changed == "nothing has changed since then"
    assert asked == "0 queries, 0 of them cached"
    assert re.fullmatch(r"\d+ estimates, all identical to the last digit", numbers)


def test_a_run_on_other_data_says_what_has_changed(run: Run, garden: Path) -> None:
    run(*LONGER, "--data", garden.name, "--perturb", "none")
    garden.write_text(GARDEN.replace("<all, not all>", "<all of the, not all>"))
    result = run("run", "--again", "latest")
    assert result.exit_code == 1
    assert "  data garden: " in result.stdout
    assert " of them changed:" in result.stdout
    told = json.loads(run("run", "--again", "latest", "--json").stdout)
    assert (told["is_same"], told["changes"]) == (True, [])


def test_again_needs_a_run(run: Run, garden: Path) -> None:
    result = run("run", "--again", "zz")
    assert result.exit_code == 4
    assert "there is no store at horsesense.db; 'horsesense run' creates one" in result.stderr
    run(*LONGER, "--data", garden.name, "--perturb", "none")
    result = run("run", "--again", "zz")
    assert result.exit_code == 3
    assert "no run named 'zz'" in result.stderr


def test_what_was_in_memory_cannot_be_had_again(run: Run, garden: Path) -> None:
    chosen = Plan(models=("longer",), data=("mine",), perturbations=("none",), resamples=20)
    with Store.create_or_open(STORE) as store:
        found = find_source(garden.name, store, chosen.wrapper).read()
        run_protocol(chosen, store, data=[found])
    result = run("run", "--again", "latest")
    assert result.exit_code == 1
    assert "used objects that a Python program passed in (garden)" in result.stderr
    assert "in memory" in run("runs", "show").stdout


def test_again_takes_no_other_plan(run: Run) -> None:
    result = run("run", "--again", "latest", "--seed", "1")
    assert result.exit_code == 2
    assert "--again uses the plan of the run" in result.stderr


def test_the_embedded_model_is_asked_once(run: Run) -> None:
    embedded_default()
    chosen = ("--perturb", "none", "--method", "standard")
    arguments = ("run", "--first", "4", "--data", "hs-winograd", *chosen, *QUICK)
    first = run(*arguments)
    assert first.exit_code == 0, first.output
    with Store.open(STORE) as store:
        record = load_run(store).record
        (kept,) = count_kept(store)
    assert record.asked == record.queries == 16
    # A plain and a scrambled sentence for each canary, to see that the model is sound.
    assert kept.rows == 16 + 2 * len(CANARIES)
    assert run(*arguments).stdout == first.stdout
    # Without the run its answers are still there.
    run("runs", "remove", "latest")
    assert run(*arguments, "--dry-run").stdout.splitlines()[1].endswith("all cached")
    assert run(*arguments, "--force").exit_code == 0
    with Store.open(STORE) as store:
        assert load_run(store).record.asked == 0


def test_without_matplotlib_a_run_is_whole_but_for_its_figures(
    run: Run, harbour_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = "the page has no figures: figures need matplotlib: pip install 'horsesense[figures]'\n"
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "matplotlib", None)
        for _ in range(2):  # the second time it is only shown
            result = run(*LONGER, "--data", harbour_file)
            assert result.exit_code == 0 and told in result.stderr
        page = folder_of(result.stdout) / "report.html"
        assert 'class="drawn"' not in page.read_text()
    result = run(*LONGER, "--data", harbour_file)
    assert told not in result.stderr
    assert 'class="drawn"' in page.read_text()


@pytest.mark.parametrize(
    ("header", "answer", "message"),
    [
        ("shcema,text,option1,option2,answer", "1", "the column 'shcema' was left out; did you "),
        ("schema,text,option1,option2,answwer", "1", "no problem has a label"),
        ("schema,text,option1,option2,answer", "", "1 problem left out"),
    ],
)
def test_likely_mistakes_in_a_table_are_mentioned(
    run: Run, header: str, answer: str, message: str
) -> None:
    rows = [
        header,
        f"1,A piano ___ go through a wide door.,can,cannot,{answer}",
        "1,A piano ___ go through a narrow door.,can,cannot,2",
    ]
    Path("attic.csv").write_text("\n".join(rows))
    result = run(*LONGER, "--data", "attic.csv", "--perturb", "none")
    assert result.exit_code == 0
    assert f"attic.csv: {message}" in result.stderr


def test_single_problems_are_counted_under_the_small_table(run: Run) -> None:
    rows = ["text,option1,option2,answer", "A piano ___ go through a wide door.,can,cannot,1"]
    Path("attic.csv").write_text("\n".join(rows))
    result = run(*LONGER, "--data", "attic.csv", "--perturb", "none")
    assert "tested on 1 single problem of attic" in result.stdout
    assert "- attic: 1 problem, 0 schemas; problems without a scored twin" in result.stdout


@pytest.mark.parametrize("name", ["gpt2", "quay.schemas", "."])
def test_a_model_or_data_in_place_of_a_plan_is_told_its_option(
    run: Run, harbour_file: str, name: str
) -> None:
    result = run("run", name)
    assert result.exit_code == 5
    assert f"for a dataset use --data {name}, and for a model --model {name}" in result.stderr

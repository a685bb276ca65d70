"""What is imported, exported and imported again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import HARBOUR, QUAY, Run, content, published, write


@pytest.mark.parametrize(
    ("name", "again"),
    [
        ("notation", "out"),
        ("csv", "out"),
        ("jsonl", "out"),
        ("winogrande", "out"),
        ("hf", "out/data/test.parquet"),
    ],
)
def test_import_export_import_gives_the_same_content(moored: Run, name: str, again: str) -> None:
    moored("dataset", "export", "harbour", "--format", name, "--output", "out")
    assert moored("dataset", "import", again, "--name", "again").exit_code == 0
    assert content(moored, "again") == content(moored, "harbour")


@pytest.mark.parametrize("mode", ["by-answer", "by-key"])
def test_the_same_holds_of_the_thesis_format_in_both_modes(run: Run, mode: str) -> None:
    run("dataset", "import", write("quay.txt", QUAY))
    exported = ["--format", "thesis-text", "--mode", mode, "--output", "out.txt"]
    run("dataset", "export", "quay", *exported)
    assert run("dataset", "import", "out.txt", "--name", "again").exit_code == 0
    before, after = content(run, "quay"), content(run, "again")
    assert [entry["notation"] for entry in after] == [
        "a rope <can, cannot> hold a {light, heavy} boat",
        "{boats, rafts} <do, do not> tow {rafts, boats}",
    ]
    assert after == before


def test_a_file_in_the_thesis_format_comes_back_to_the_letter(run: Run) -> None:
    run("dataset", "import", write("quay.txt", QUAY))
    # The published files have no line end after their last row.
    shown = run("dataset", "export", "quay", "--format", "thesis-text").stdout
    assert shown == QUAY.removesuffix("\n")


def test_winogrande_comes_back_to_the_letter_but_for_its_spaces(moored: Run) -> None:
    shown = moored("dataset", "export", "harbour", "--format", "winogrande").stdout
    assert shown == HARBOUR.replace("for  _", "for _")


def test_schemas_whose_problems_are_only_numbered_come_back_from_winogrande_as_they_were(
    run: Run,
) -> None:
    rows = ["id,schema,text,option1,option2,answer"]
    for number, boat in enumerate(("raft", "punt", "kayak")):
        for half, word in enumerate(("light", "heavy"), start=1):
            text = f"The rope held the {boat} as the ___ was {word}."
            rows.append(f"{2 * number + half},{number + 1},{text},{boat},rope,{half}")
    run("dataset", "import", write("ropes.csv", "\n".join(rows)))
    run("dataset", "export", "ropes", "--format", "winogrande", "--output", "out.jsonl")
    told = run("dataset", "import", "out.jsonl", "--name", "again").stdout
    assert "twins by the stem of their qID: 3 pairs;" in told
    assert [one["id"] for one in content(run, "again")] == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("path", "mode"),
    [
        ("reid250/reid250.txt", "by-answer"),
        ("reid250/reid250-inverted.txt", "by-key"),
        ("reid250/reid250x2-v1-by-answer.txt", "by-answer"),
        ("wsc266/wsc266.txt", "by-answer"),
        ("wsc266/wsc273.txt", "by-answer"),
    ],
)
def test_published_files_of_the_thesis_come_back_to_the_letter(
    run: Run, path: str, mode: str
) -> None:
    file = published(path)
    run("dataset", "import", str(file), "--name", "thesis")
    arguments = ["--format", "thesis-text", "--mode", mode, "--output", "out"]
    assert run("dataset", "export", "thesis", *arguments).exit_code == 0
    assert Path("out").read_bytes() == file.read_bytes()


def test_winogrande_as_published_comes_back_but_for_its_spaces(run: Run) -> None:
    file = published("winogrande/dev.jsonl")
    run("dataset", "import", str(file), "--name", "dev")
    shown = run("dataset", "export", "dev", "--format", "winogrande").stdout
    assert sorted(map(one_spaced, shown.splitlines())) == sorted(
        map(one_spaced, file.read_text().splitlines())
    )


def one_spaced(line: str) -> tuple[str, ...]:
    row = json.loads(line)
    assert len(row) == 5
    texts = (row[name] for name in ("qID", "sentence", "option1", "option2", "answer"))
    return tuple(" ".join(text.split()) for text in texts)


def test_the_data_of_lm_eval_come_back_as_the_same_entries(moored: Run) -> None:
    moored("dataset", "export", "harbour", "--format", "lm-eval", "--output", "tasks")
    assert moored("dataset", "import", "tasks/harbour.jsonl", "--name", "again").exit_code == 0
    assert content(moored, "again") == content(moored, "harbour")

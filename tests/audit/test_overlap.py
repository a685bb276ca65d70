import gzip
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.audit import Weight
from horsesense.audit import overlap as shared_runs
from horsesense.audit.overlap import RunIndex, check_overlap, find_files, shared_with, words_of
from horsesense.errors import FileError
from tests.audit.made_datasets import dataset_of, entry

POT = (
    "[The kettle] would not stand on [the stove] because <it = the kettle, the stove> was too "
    "{wide, narrow} for that."
)
OTHER = "Nothing of this has anything to do with kettles, and no stove is too narrow.\n"


def shared(tmp_path: Path, text: str, notation: str = POT) -> list[tuple[str, ...]]:
    """The runs that are found in a file of that text."""
    file = tmp_path / "other.txt"
    file.write_text(OTHER + text + "\n" + OTHER, encoding="utf-8")
    checked = check_overlap(dataset_of(notation), [file])
    assert checked.faults == len(checked.concerns)
    return [one.entries for one in checked.concerns]


@pytest.mark.parametrize(
    "text",
    [
        "The kettle would not stand on the stove because it was too wide for that.",
        "the kettle would not stand on the stove , because the stove was",
        "1,The kettle would not stand on the stove because _ was too wide,kettle,stove",
        '{"s": "said.\\nThe kettle would not stand \\u2013 on the stove", "a": 1}',
        "[The kettle] would not stand on [the stove] because <it = the kettle, the stove>",
        "<txt1>The kettle would not stand on</txt1>\n<txt2>the stove because</txt2>",
        '<s id="3">The <b>kettle</b> would not&nbsp;stand on the stove</s>',
        "['stand on the stove because it was', 'too wide for that.']",
        "would not stand\non the stove because it\nwas",
    ],
)
def test_a_shared_run_is_found_in_any_format(tmp_path: Path, text: str) -> None:
    assert shared(tmp_path, text) == [("e1",)]


@pytest.mark.parametrize(
    "text",
    [
        "The kettle would not stand on the table because it was hot.",
        "kettle would not stand on the stove",
        "The kettle would not quite stand on the stove because it was",
    ],
)
def test_fewer_than_eight_words_in_a_row_are_no_overlap(tmp_path: Path, text: str) -> None:
    assert shared(tmp_path, text) == []


def test_a_fault_names_the_file_the_line_and_the_run(tmp_path: Path) -> None:
    file = tmp_path / "old.csv"
    file.write_text("id,text\n" + OTHER + "7,would not stand on the stove because it fell\n")
    checked = check_overlap(dataset_of("{owls, voles} <eat, flee> {voles, owls}", POT), [file])
    (concern,) = checked.concerns
    assert (concern.weight, concern.entries) == (Weight.FAULT, ("e2",))
    assert concern.text.startswith(f"8 words in a row are also in {file}:3: ")
    assert concern.text.endswith("'would not stand on the stove because it'")
    assert {one.name: one.value for one in checked.figures} == {
        "entries that share a run": 1,
        "entries too short to be compared": 1,
        "files read": 1,
        "files skipped": 0,
    }


def test_hand_written_versions_are_compared_too(tmp_path: Path) -> None:
    voice = POT.replace("would not stand on", "could not be put upon")
    file = tmp_path / "other.txt"
    file.write_text("the kettle could not be put upon the stove")
    assert check_overlap(dataset_of(entry("pot", POT, voice=voice)), [file]).faults == 1
    assert check_overlap(dataset_of(entry("pot", POT)), [file]).faults == 0


def test_folders_are_read_and_what_is_no_text_is_said_to_be_skipped(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    sentence = "would not stand on the stove because it was"
    (tmp_path / "deep" / "b.txt").write_text(sentence)
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(sentence.encode()))
    (tmp_path / "c.bin").write_bytes(b"\0\1" + sentence.encode())
    (tmp_path / ".hidden").write_text(sentence)
    checked = check_overlap(dataset_of(POT), [tmp_path])
    texts = [one.text for one in checked.concerns if one.weight is Weight.LOOK]
    assert checked.faults == 1
    assert [text for text in texts if "a.jsonl.gz" in text and "gzip" in text]
    assert [text for text in texts if "c.bin" in text and "binary" in text]
    assert len(texts) == 2


def test_a_file_that_cannot_be_read_is_said_to_be_skipped(tmp_path: Path) -> None:
    place = tmp_path / "socket"  # which nobody can open, whatever their rights
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(place))
        (concern,) = check_overlap(dataset_of(POT), [place]).concerns
    assert concern.weight is Weight.LOOK
    assert "cannot be read" in concern.text


def test_a_file_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no file or folder"):
        find_files([tmp_path / "nowhere"])


def test_without_files_or_long_sentences_it_is_skipped(tmp_path: Path) -> None:
    assert check_overlap(dataset_of(POT), []).skipped == "there are no files to compare with"
    file = tmp_path / "a.txt"
    file.write_text(OTHER)
    short = check_overlap(dataset_of("{owls, voles} <eat, flee> {voles, owls}"), [file])
    assert short.skipped == "no sentence is 4 words long"


letters = st.lists(st.sampled_from("abc"), max_size=30)


@given(st.lists(letters, max_size=4), letters, st.integers(2, 5))
def test_the_strides_find_what_looking_everywhere_finds(
    sentences: list[list[str]], text: list[str], size: int
) -> None:
    index = RunIndex(size)
    for number, sentence in enumerate(sentences):
        index.add(number, sentence)
    found = {
        (run.entry, start)
        for run in shared_runs.runs_in(text, index)
        for start in range(run.start, run.end - size + 1)
    }
    assert found == {
        (number, start)
        for number, sentence in enumerate(sentences)
        for start in range(len(text) - size + 1)
        if any(
            sentence[place : place + size] == text[start : start + size]
            for place in range(len(sentence) - size + 1)
        )
    }


@pytest.mark.parametrize("block", [7, 40, 100])
@pytest.mark.parametrize("between", ["\n", " "])
def test_runs_are_found_across_the_blocks_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int, between: str
) -> None:
    sentence = "would not stand on the stove because it".replace(" ", between)
    file = tmp_path / "other.txt"
    file.write_text(OTHER * 3 + sentence + "\n" + OTHER)
    monkeypatch.setattr(shared_runs, "_BLOCK", block)
    index = RunIndex(8)
    index.add(0, words_of(sentence))
    (one,) = shared_with(file, [index], ["pot"])
    assert one.words == tuple(sentence.split())
    assert one.line == (11 if between == "\n" else 4)


@pytest.mark.parametrize("block", [7, 40, 64, 100, 1000])
@pytest.mark.parametrize("between", ["\n", " ", "\n - - - - - - - - \n"])
def test_the_blocks_of_a_file_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int, between: str
) -> None:
    run = "the kettle would not stand on the stove because it was too hot for that old thing"
    short = " ".join(run.split()[:9])
    file = tmp_path / "other.txt"
    file.write_text(f"{OTHER}{short}\n{OTHER}{run}\n{OTHER}{short}\n".replace(" ", between))
    index = RunIndex(8)
    index.add(0, words_of(run))
    index.add(1, words_of(run.replace("because", "since")))
    whole = shared_with(file, [index], ["pot", "pan"])
    assert [(len(one.words), one.places) for one in whole] == [(17, 3), (8, 4)]
    monkeypatch.setattr(shared_runs, "_BLOCK", block)
    assert shared_with(file, [index], ["pot", "pan"]) == whole


def test_the_longest_run_is_told_and_the_others_are_counted(tmp_path: Path) -> None:
    file = tmp_path / "other.txt"
    run = "the kettle would not stand on the stove"
    file.write_text(f"{run}\n{OTHER}{run} because it\n{OTHER}{run}\n")
    index = RunIndex(8)
    index.add(0, words_of(f"{run} because it was hot"))
    (one,) = shared_with(file, [index], ["pot"])
    assert (one.line, len(one.words), one.places) == (3, 10, 3)


COPIED = "[The kettle] fell on [the stove] as <it = the kettle, the stove> was {loose, there}."


def test_a_copy_in_our_own_notation_is_found_in_its_filled_sentences(tmp_path: Path) -> None:
    # No eight words of it stand in a row, for candidates and key phrases are between.
    copy = "wet sand <sticks, falls> together when heaps are {tall, low} and made at night"
    file = tmp_path / "Other.SCHEMAS"
    file.write_text(f"# a comment\n{OTHER.split()[0]} <is, is not> here if {{hot, icy}}\n{copy}\n")
    checked = check_overlap(dataset_of(copy), [file])
    (concern,) = checked.concerns
    assert (concern.weight, concern.entries) == (Weight.FAULT, ("e1",))
    assert f"{file}:3: " in concern.text and "more place" not in concern.text
    assert not check_overlap(dataset_of(POT), [file]).concerns
    plain = file.rename(tmp_path / "other.txt")
    assert not check_overlap(dataset_of(copy), [plain]).concerns


def test_versions_and_all_cells_of_a_schema_file_are_compared(tmp_path: Path) -> None:
    file = tmp_path / "other.schemas"
    hidden = "{a, b} <goes, stays> here and there\n    voice: the {wet, dry} sand <sticks, falls> "
    file.write_text(f"{hidden}apart in a pail\n")
    single = "the dry sand <sticks*, melts> apart in a pail"
    assert check_overlap(dataset_of(single), [file]).faults == 1
    assert check_overlap(dataset_of(single.replace("dry", "hot")), [file]).faults == 0


def test_lines_that_are_no_schemas_are_compared_word_by_word_and_said(tmp_path: Path) -> None:
    file = tmp_path / "other.schemas"
    faulty = "The kettle would not stand on the stove because <it was too wide\n"
    file.write_text(faulty + COPIED + "\n")
    whole = dataset_of(POT, COPIED)
    look, *faults = check_overlap(whole, [file]).concerns
    assert look.weight is Weight.LOOK and not look.entries
    assert look.text.startswith(f"line 1 of {file} is not a schema; ")
    assert [(one.entries, f"{file}:{n}" in one.text) for n, one in enumerate(faults, start=1)] == [
        (("e1",), True),
        (("e2",), True),
    ]
    file.write_text(faulty * 2 + COPIED + "\n")
    look, *_ = check_overlap(whole, [file]).concerns
    assert f"2 lines of {file}, the first of them 1, are not schemas" in look.text
    file.write_text(COPIED + "\n")
    assert [one.entries for one in check_overlap(whole, [file]).concerns] == [("e2",)]


def test_the_longer_of_what_schemas_and_words_share_is_told(tmp_path: Path) -> None:
    file = tmp_path / "other.schemas"
    whole = "wet sand in a pail sticks together when tall heaps are made"
    file.write_text(f"wet sand in a pail sticks together when <rain*, hail> falls\n{whole} <\n")
    note = dataset_of("wet sand in a pail sticks together when tall heaps are <made*, lost>")
    _, fault = check_overlap(note, [file]).concerns
    assert fault.text.startswith("12 words in a row") and f"{file}:2" in fault.text


def test_short_sentences_are_compared_as_wholes(tmp_path: Path) -> None:
    short = dataset_of("{wet, dry} hay <rots, keeps> indoors", "{owls, voles} <eat, flee> hay")
    file = tmp_path / "other.txt"
    file.write_text("They say: wet hay rots indoors, owls eat hay.")
    checked = check_overlap(short, [file])
    (concern,) = checked.concerns
    assert (concern.weight, concern.entries) == (Weight.LOOK, ("e1",))
    assert concern.text.startswith("4 words in a row") and "'wet hay rots indoors'" in concern.text
    assert [one.value for one in checked.figures[:2]] == [1, 1]
    file.write_text("Wet hay rots, and indoors dry hay keeps.")
    assert not check_overlap(short, [file]).concerns

"""Logs of inspect 0.3.285: of a real model, and of one that says what it was given to say."""

import gzip
import json
import sys
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from horsesense.datasets.importers import SourceFile
from horsesense.errors import FileError, MetricError
from horsesense.results.logs import inspect_ai, read_log, read_log_file
from horsesense.scoring import Verdict
from tests.results.logs.logs import INSPECT, logged, reported, schemas, solved

REAL = INSPECT / "real" / "said.eval"
MOCK = INSPECT / "mock" / "shore.eval"
ZSTANDARD = 93
TWICE = INSPECT / "mock" / "shore-two-epochs.json.gz"


@pytest.fixture
def log() -> dict[str, Any]:
    told: dict[str, Any] = json.loads(gzip.decompress(TWICE.read_bytes()))
    return told


def read_json(log: dict[str, Any], **how: Any) -> Any:
    return read_log_file(SourceFile("owls.json", json.dumps(log).encode()), **how)


def zipped(log: dict[str, Any]) -> bytes:
    """The same log as older versions pack it."""
    target = BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as file:
        for sample in log["samples"]:
            file.writestr(
                f"samples/{sample['id']}_epoch_{sample['epoch']}.json", json.dumps(sample)
            )
        header = {name: value for name, value in log.items() if name != "samples"}
        file.writestr("header.json", json.dumps(header))
    return target.getvalue()


@pytest.mark.parametrize("path", [REAL, MOCK])
def test_accuracies_are_those_that_inspect_reported(path: Path) -> None:
    pytest.importorskip("pyarrow")
    with zipfile.ZipFile(path) as file:
        assert file.getinfo("header.json").compress_type == ZSTANDARD
    found = {one.method: solved(one) for one in read_log(path)}
    assert found == reported(INSPECT)[path.stem]


def test_accuracies_of_json_are_those_in_it(log: dict[str, Any]) -> None:
    (score,) = log["results"]["scores"]
    found = logged(TWICE)
    shares = [solved(found["shore", f"choice (epoch {epoch})"]) for epoch in (1, 2)]
    assert sum(shares) / 2 == score["metrics"]["accuracy"]["value"] == 0.5
    assert {one.model for one in found.values()} == {"mockllm/model"}


def test_letters_are_options_and_other_answers_are_undecided(log: dict[str, Any]) -> None:
    one, _ = read_json(log)
    first = [answer.outcome.chosen for answer in one.answer_set.answers[:6]]
    assert first == [0, 1, 0, 0, 1, None]
    assert one.answer_set.answers[5].outcome.verdict is Verdict.UNDECIDED
    assert one.answer_set.answers[0].options == ("can", "cannot")
    assert "3 answers that match none of the options: undecided" in one.answer_set.remarks


def test_metadata_tell_schemas(log: dict[str, Any]) -> None:
    one, _ = read_json(log)
    assert len(schemas(one)) == 9
    assert one.answer_set.answers[0].problem == ("rope", 1)


def test_a_field_may_be_named_that_tells_them() -> None:
    pytest.importorskip("pyarrow")
    alone, together = read_log(REAL)[1], read_log(REAL, group_by="pair")[1]
    assert not alone.answer_set.schemas and "cannot tell which" in alone.answer_set.remarks[0]
    assert len(together.answer_set.schemas) == 9
    assert not together.answer_set.answers[0].outcome.has_choice
    assert [answer.problem for answer in together.answer_set.answers[:2]] == [
        ("rope", 1),
        ("rope", 2),
    ]


def test_without_the_name_of_a_task_it_is_that_of_the_file(log: dict[str, Any]) -> None:
    del log["eval"]["task"]
    data = zipped(log)
    found = read_log_file(SourceFile("night/owls.eval", data))
    assert {one.task for one in found} == {"owls.eval"}


def test_zip_and_json_are_the_same(log: dict[str, Any]) -> None:
    found = read_log_file(SourceFile("owls.eval", zipped(log)))
    assert [one.answer_set for one in found] == [one.answer_set for one in read_json(log)]


def test_runs_that_broke_off_are_read_as_far_as_they_went(log: dict[str, Any]) -> None:
    log["status"] = "error"
    log["samples"] = [one for one in log["samples"] if one["epoch"] == 1]
    log["samples"][3]["scores"] = None
    (one,) = read_json(log)
    assert len(one.answer_set.answers) == 17
    assert {"the run ended with 'error'", "1 sample without a score"} <= set(one.answer_set.remarks)
    assert "1 document without an outcome" in one.answer_set.remarks
    assert len(one.answer_set.schemas) == 8


def test_partly_right_is_no_verdict(log: dict[str, Any]) -> None:
    log["samples"] = [one for one in log["samples"] if one["epoch"] == 1]
    for one in log["samples"]:
        one["scores"]["half"] = {"value": "P"}
        one["scores"]["many"] = {"value": {"owl": 1}}
    (one,) = read_json(log)
    assert "half is left out: 'P' is neither solved nor failed" in one.answer_set.remarks
    assert any(remark.startswith("many is left out") for remark in one.answer_set.remarks)


def test_letters_that_contradict_the_log_are_not_believed(log: dict[str, Any]) -> None:
    for one in log["samples"]:
        one["scores"]["choice"]["value"] = "C"
    first, _ = read_json(log)
    assert solved(first) == 1.0
    assert not first.answer_set.answers[0].outcome.has_choice


def test_what_is_no_log_is_an_error(log: dict[str, Any]) -> None:
    for change, message in (
        ({"samples": []}, "owls.json: there are no samples in it"),
        ({"samples": [1.5]}, "owls.json, sample 1: .*: expected an object, found 1.5"),
        (
            {"samples": [{}]},
            "owls.json, sample 1: .*: id: expected a string or a number, found None",
        ),
        ({"samples": [{"id": 1, "metadata": 1}]}, "metadata: expected an object, found 1"),
        ({"samples": [{"id": 1, "epoch": None}]}, "epoch: expected a whole number, found None"),
        ({"samples": [{"id": 1}]}, "nothing in it says what was solved; 1 sample without a score"),
    ):
        with pytest.raises(FileError, match=message):
            read_json({**log, **change})
    data = zipped(log)
    for bad, message in (
        (data[:-100], "owls.eval: cannot be unpacked"),
        (data[:900] + b"\0" * 100 + data[1000:], "owls.eval: cannot be unpacked"),
        (data.replace(b"PK\x01\x02\x14\x03\x14", b"PK\x01\x02\x14\x03\xff"), "cannot be unpacked"),
        (data.replace(b"header.json", b"hoader.json"), "the run was interrupted"),
    ):
        with pytest.raises(FileError, match=message):
            read_log_file(SourceFile("owls.eval", bad))


def test_the_order_of_samples_may_be_told_in_any_way(log: dict[str, Any]) -> None:
    told = read_json(log)
    orders: list[Any] = [1.5, [[]], None]
    for order in orders:
        log["eval"]["dataset"]["sample_ids"] = order
        assert [one.task for one in read_json(log)] == [one.task for one in told]


def test_a_header_is_an_object(log: dict[str, Any]) -> None:
    target = BytesIO()
    with zipfile.ZipFile(target, "w") as file:
        file.writestr("header.json", "[]")
        file.writestr("samples/1.json", "{")
    with pytest.raises(FileError, match=r"owls.eval, samples/1.json:1: not JSON"):
        read_log_file(SourceFile("owls.eval", target.getvalue()))
    data = target.getvalue().replace(b"samples/", b"simples/")
    with pytest.raises(FileError, match=r"owls.eval: header.json is not a JSON object"):
        read_log_file(SourceFile("owls.eval", data))


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2])
def test_a_zip_that_holds_too_much_is_refused(method: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inspect_ai, "MOST_UNPACKED", 2**20)
    target = BytesIO()
    with zipfile.ZipFile(target, "w", method) as file:
        file.writestr("header.json", "{}")
        for at in range(3):
            file.writestr(f"samples/{at}.json", b" " * 2**19)
    told = "holds more than" if method == zipfile.ZIP_DEFLATED else "in a way that inspect does not"
    with pytest.raises(FileError, match=f"owls.eval: .*{told}"):
        read_log_file(SourceFile("owls.eval", target.getvalue()))


# Where the directory of a zip tells of the method, the checksum and the size of a member.
METHOD, CHECKSUM, SIZE = 10, 16, 24


def with_told(data: bytes, field: int, value: bytes) -> bytes:
    """The zip with something else told of its first member."""
    at = data.index(b"PK\x01\x02") + field
    return data[:at] + value + data[at + len(value) :]


def test_sizes_that_are_not_true_are_found_out(
    log: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = zipped(log)
    huge = with_told(data, SIZE, b"\xfe\xff\xff\xff")
    with pytest.raises(
        FileError, match="owls.eval: unpacked, it holds more than 256 MiB, which is"
    ):
        read_log_file(SourceFile("owls.eval", huge))
    with pytest.raises(FileError, match=r"owls.eval: cannot be unpacked: Bad CRC"):
        read_log_file(SourceFile("owls.eval", with_told(data, SIZE, b"\x01\0\0\0")))
    # Whatever is told, what comes out counts.
    monkeypatch.setattr(inspect_ai, "MOST_UNPACKED", 2**20)
    monkeypatch.setattr(zipfile.ZipExtFile, "read", lambda self, most: b" " * most)
    small = with_told(data, SIZE, b"\x01\0\0\0")
    with pytest.raises(FileError, match=r"owls.eval: unpacked, it holds more than"):
        read_log_file(SourceFile("owls.eval", small))


def test_a_member_by_zstandard_is_what_was_packed() -> None:
    pytest.importorskip("pyarrow")
    data = MOCK.read_bytes()
    for field, value in ((CHECKSUM, b"\0\0\0\0"), (SIZE, b"\x01\0\0\0"), (SIZE, b"\0\0\0\x01")):
        spoilt = data
        at = 0
        while (at := spoilt.find(b"PK\x01\x02", at) + 1) > 0:
            place = at - 1 + field
            spoilt = spoilt[:place] + value + spoilt[place + len(value) :]
        with pytest.raises(FileError, match=r"shore.eval: "):
            read_log_file(SourceFile("shore.eval", spoilt))


def test_halves_of_characters_are_replaced_and_it_is_said(log: dict[str, Any]) -> None:
    log["samples"][0]["metadata"]["said"] = "an owl \ud83e"
    found = read_log_file(SourceFile("owls.eval", zipped(log)))[0].answer_set.remarks
    assert any(
        one.endswith(r"1 half of a character, as \ud800 is one, was read as \ufffd")
        and one.startswith("samples/")
        for one in found
    )


def test_a_damaged_member_is_an_error() -> None:
    pytest.importorskip("pyarrow")
    data = bytearray(MOCK.read_bytes())
    with zipfile.ZipFile(MOCK) as file:
        start = file.getinfo("header.json").header_offset
    data[start + 100 : start + 200] = b"\0" * 100
    with pytest.raises(FileError, match=r"shore.eval: cannot be unpacked"):
        read_log_file(SourceFile("shore.eval", bytes(data)))


def test_without_pyarrow_it_is_said_what_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(FileError, match="needs an extra"):
        read_log(MOCK)


def test_two_models_in_one_folder_are_an_error() -> None:
    pytest.importorskip("pyarrow")
    with pytest.raises(MetricError, match="logs of 2 models, mockllm/model, hf/local; give one"):
        read_log(INSPECT)

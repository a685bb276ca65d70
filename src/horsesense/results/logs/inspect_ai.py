"""Logs of inspect: `.eval`, a zip with a file for each sample, or the same as one `.json`.

Every scorer is a method, and so is every epoch of it where there are several. With choices, the
answer is the letter of an option; one that names none is undecided. Without, the log says whether
a problem was solved.

Newer versions compress by Zstandard, which Python learnt in 3.14 only; pyarrow knows it too.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import PurePath
from typing import Any

from horsesense.datasets.importers import SourceFile
from horsesense.errors import FileError
from horsesense.results.logs.document import (
    MOST_UNPACKED,
    Document,
    LoggedMethod,
    Task,
    by_verdicts,
    counted,
    mended,
    short,
    too_large,
    verdict_of,
)
from horsesense.scoring import Outcome

_ZIP = b"PK\x03\x04"
_HEADER = "header.json"
_SAMPLES = "samples/"
_LOCAL_HEADER = 30
_DONE = "success"
_ZSTANDARD = 93
# The fields of a sample, and what they are.
_FIELDS: Mapping[str, tuple[str, tuple[type, ...]]] = {
    "id": ("a text or a number", (str, int)),
    "epoch": ("a whole number", (int,)),
    "choices": ("a list", (list,)),
    "metadata": ("an object", (dict,)),
    "scores": ("an object", (dict,)),
}


def looks_like(file: SourceFile) -> bool:
    """True for a zip, and for JSON that begins as a log does."""
    if file.data.startswith(_ZIP):
        return True
    return file.head.lstrip().startswith("{") and all(
        field in file.head for field in ('"version"', '"status"', '"eval"', '"task"')
    )


def read(file: SourceFile) -> list[Task]:
    """The one task of the log."""
    remarks: list[str] = []
    log = _unzipped(file, remarks) if file.data.startswith(_ZIP) else file.json()
    header, samples = log.get("eval"), log.get("samples")
    if not isinstance(header, dict) or not isinstance(samples, list) or not samples:
        raise FileError(f"{file.name}: there are no samples in it")
    for at, sample in enumerate(samples, 1):
        _check_sample(f"{file.name}, sample {at}", sample)
    numbers = _numbers(header, samples)
    first = {sample["id"]: sample for sample in reversed(samples)}
    documents = [_document(file.name, n, first[name]) for name, n in numbers.items()]
    epochs = sorted({sample.get("epoch", 1) for sample in samples})
    methods: list[LoggedMethod] = []
    for epoch in epochs:
        suffix = f" (epoch {epoch})" if len(epochs) > 1 else ""
        of_epoch = {
            numbers[sample["id"]]: sample for sample in samples if sample.get("epoch", 1) == epoch
        }
        methods += _methods(suffix, of_epoch, documents, remarks)
    if log.get("status") != _DONE:
        remarks.append(f"the run ended with {short(log.get('status'))}")
    name, model = str(header.get("task", PurePath(file.name).name)), str(header.get("model", ""))
    return [Task(name, model, tuple(documents), tuple(methods), tuple(remarks))]


def _check_sample(place: str, sample: object) -> None:
    """Refuse what is no sample, with the field that is wrong."""
    if not isinstance(sample, dict):
        raise FileError(f"{place}: no sample of inspect: expected an object, found {short(sample)}")
    for field, (expected, kinds) in _FIELDS.items():
        value = sample.get(field, 1 if field == "epoch" else None)
        # A missing field is an error only if it identifies the sample.
        is_there = bool(value) or field in ("id", "epoch")
        if is_there and not isinstance(value, kinds):
            wrong = f"{field}: expected {expected}, found {short(value)}"
            raise FileError(f"{place}: no sample of inspect: {wrong}")


def _unzipped(file: SourceFile, remarks: list[str]) -> dict[str, Any]:
    """The header, which has everything but the samples, and the samples."""
    try:
        with zipfile.ZipFile(BytesIO(file.data)) as packed:
            members = {one.filename: one for one in packed.infolist()}
            if _HEADER not in members:
                raise FileError(f"{file.name}: no log of inspect, or one of a run that broke off")
            inside = [name for name in members if name.startswith(_SAMPLES)]
            unpacked = _unpacked(file, packed, [members[name] for name in (_HEADER, *inside)])
    # A runtime error is a zip that is encrypted, or newer than Python knows.
    except (
        *(zipfile.BadZipFile, EOFError, zlib.error, ValueError, RuntimeError),
        *(OSError, struct.error),
    ) as error:
        raise FileError(f"{file.name}: cannot be unpacked: {str(error)[:200]}") from error
    header, *samples = (_json(file, name, data, remarks) for name, data in unpacked)
    if not isinstance(header, dict):
        raise FileError(f"{file.name}: {_HEADER} is no JSON object")
    return {**header, "samples": samples}


def _unpacked(
    file: SourceFile, packed: zipfile.ZipFile, members: Sequence[zipfile.ZipInfo]
) -> list[tuple[str, bytes]]:
    """The members with their names, as long as they are not too much together.

    The sizes that a zip gives for its members need not be true, and two of them may be the same
    bytes; so what counts is what comes out.
    """
    found: list[tuple[str, bytes]] = []
    room = MOST_UNPACKED
    for one in members:
        if one.file_size > room:
            raise too_large(file)
        if one.compress_type == _ZSTANDARD:
            data = _by_zstandard(file, one)
        elif one.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            with packed.open(one) as member:
                data = member.read(room + 1)
        else:
            reason = f"{one.filename} is packed in a way that inspect does not use"
            raise FileError(f"{file.name}: cannot be unpacked: {reason}")
        room -= len(data)
        if room < 0:
            raise too_large(file)
        found.append((one.filename, data))
    return found


def _json(file: SourceFile, name: str, data: bytes, remarks: list[str]) -> Any:
    data, mendings = mended(data)
    remarks += [f"{name}: {mending}" for mending in mendings]
    return SourceFile(f"{file.name}, {name}", data).json()


def _by_zstandard(file: SourceFile, info: zipfile.ZipInfo) -> bytes:
    """A member that is packed by Zstandard; its name and its extra field come before the data."""
    try:
        import pyarrow  # type: ignore[import-untyped]
    except ImportError as error:
        raise FileError(
            f"{file.name}: a log packed by Zstandard needs an extra: "
            "pip install 'horsesense[parquet]'; or make JSON of it: inspect log convert --to json"
        ) from error
    start = info.header_offset
    lengths = file.data[start + 26 : start + _LOCAL_HEADER]
    start += _LOCAL_HEADER + sum(int.from_bytes(lengths[at : at + 2], "little") for at in (0, 2))
    packed = file.data[start : start + info.compress_size]
    try:
        found: bytes = pyarrow.decompress(packed, info.file_size, codec="zstd", asbytes=True)
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise FileError(f"{file.name}: cannot be unpacked: {error}") from error
    # A size that is not true would leave room at the end, with whatever was there before.
    if zlib.crc32(found) != info.CRC:
        raise FileError(f"{file.name}: cannot be unpacked: {info.filename} is not what was packed")
    return found


def _numbers(header: Mapping[str, Any], samples: Sequence[Any]) -> dict[Any, int]:
    """The numbers of the samples by their ids, in the order of the dataset where that is known."""
    dataset = header.get("dataset")
    order = dataset.get("sample_ids") if isinstance(dataset, dict) else None
    named = order if isinstance(order, list) else []
    listed = {name: at for at, name in enumerate(named) if isinstance(name, str | int)}
    ids = dict.fromkeys(sample["id"] for sample in samples)
    known = sorted(ids, key=lambda name: listed.get(name, len(listed)))
    return {name: at for at, name in enumerate(known)}


def _document(file: str, number: int, sample: Mapping[str, Any]) -> Document:
    options = tuple(map(str, sample.get("choices") or ()))
    metadata = sample.get("metadata") or {}
    fields = {
        "id": sample["id"],
        "text": sample.get("input"),
        **{f"option{at}": option for at, option in enumerate(options, 1)},
        **metadata,
    }
    right = _letter(sample.get("target"), len(options))
    if right is not None:
        fields.setdefault("answer", right + 1)
    return Document(number, f"{file}, sample {sample['id']}", fields, options, (), right)


def _letter(answer: object, options: int) -> int | None:
    """The position that a letter stands for."""
    listed = answer if isinstance(answer, list) else [answer]
    text = str(listed[0]).strip() if len(listed) == 1 else ""
    position = ord(text) - ord("A") if len(text) == 1 else -1
    return position if 0 <= position < options else None


def _methods(
    suffix: str,
    samples: Mapping[int, Mapping[str, Any]],
    documents: Sequence[Document],
    remarks: list[str],
) -> Iterator[LoggedMethod]:
    scores = {number: sample.get("scores") or {} for number, sample in samples.items()}
    broken = sum(not score for score in scores.values())
    if broken:
        remarks.append(f"{counted(broken, 'sample')} without a score{suffix}")
    for scorer in dict.fromkeys(name for score in scores.values() for name in score):
        given = {number: one[scorer] for number, one in sorted(scores.items()) if scorer in one}
        try:
            solved = {number: verdict_of(one.get("value")) for number, one in given.items()}
        except (ValueError, AttributeError) as error:
            remarks.append(f"{scorer} is left out: {error}")
            continue
        yield _by_letters(scorer + suffix, given, solved, documents) or by_verdicts(
            scorer + suffix, solved
        )


def _by_letters(
    name: str,
    given: Mapping[int, Mapping[str, Any]],
    solved: Mapping[int, bool | None],
    documents: Sequence[Document],
) -> LoggedMethod | None:
    """The method with what was chosen, None where answers are not the letters of options."""
    outcomes: dict[int, Outcome] = {}
    for number, score in given.items():
        right, options = documents[number].right, documents[number].options
        chosen = _letter(score.get("answer"), len(options))
        if right is None or (chosen == right) is not bool(solved[number]):
            return None
        outcomes[number] = Outcome((), chosen, right, 0.0)
    none = sum(outcome.chosen is None for outcome in outcomes.values())
    remark = f"{counted(none, 'answer')} that name none of the options: undecided"
    return LoggedMethod(name, outcomes, remarks=(remark,) if none else ())

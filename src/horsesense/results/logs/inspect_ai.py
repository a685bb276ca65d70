"""Read logs of inspect: `.eval`, a zip with a file for each sample, or the same as one `.json`.

Every scorer is a method, and so is each of its epochs if there are several. With choices, the
answer is the letter of an option, and other answers are undecided. Without, the log only says
whether a problem was solved.

Newer versions compress with Zstandard, which Python supports from 3.14 and pyarrow before.
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
# The fields of a sample, and their types.
_FIELDS: Mapping[str, tuple[str, tuple[type, ...]]] = {
    "id": ("a string or a number", (str, int)),
    "epoch": ("a whole number", (int,)),
    "choices": ("a list", (list,)),
    "metadata": ("an object", (dict,)),
    "scores": ("an object", (dict,)),
}


def looks_like(file: SourceFile) -> bool:
    """Whether the file is a zip, or JSON that starts like a log."""
    if file.data.startswith(_ZIP):
        return True
    return file.head.lstrip().startswith("{") and all(
        field in file.head for field in ('"version"', '"status"', '"eval"', '"task"')
    )


def read(file: SourceFile) -> list[Task]:
    """Read the task of the log."""
    remarks: list[str] = []
    log = _unzipped(file, remarks) if file.data.startswith(_ZIP) else file.json()
    header, samples = log.get("eval"), log.get("samples")
    if not isinstance(header, dict) or not isinstance(samples, list) or not samples:
        raise FileError(f"{file.name}: there are no samples in it")
    for number, sample in enumerate(samples, 1):
        _check_sample(f"{file.name}, sample {number}", sample)
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


def _check_sample(location: str, sample: object) -> None:
    """Raise an error for an invalid sample that names the wrong field."""
    if not isinstance(sample, dict):
        raise FileError(
            f"{location}: not a valid sample of inspect: expected an object, found {short(sample)}"
        )
    for field, (expected, kinds) in _FIELDS.items():
        value = sample.get(field, 1 if field == "epoch" else None)
        # A missing field is an error only if it identifies the sample.
        is_there = bool(value) or field in ("id", "epoch")
        if is_there and not isinstance(value, kinds):
            wrong = f"{field}: expected {expected}, found {short(value)}"
            raise FileError(f"{location}: not a valid sample of inspect: {wrong}")


def _unzipped(file: SourceFile, remarks: list[str]) -> dict[str, Any]:
    """Read the header, which has everything but the samples, and the samples."""
    try:
        with zipfile.ZipFile(BytesIO(file.data)) as packed:
            members = {member.filename: member for member in packed.infolist()}
            if _HEADER not in members:
                raise FileError(f"{file.name}: not a log of inspect, or the run was interrupted")
            inside = [name for name in members if name.startswith(_SAMPLES)]
            unpacked = _unpacked(file, packed, [members[name] for name in (_HEADER, *inside)])
    # A RuntimeError means that the zip is encrypted or too new for Python.
    except (
        *(zipfile.BadZipFile, EOFError, zlib.error, ValueError, RuntimeError),
        *(OSError, struct.error),
    ) as error:
        raise FileError(f"{file.name}: cannot be unpacked: {str(error)[:200]}") from error
    header, *samples = (_json(file, name, data, remarks) for name, data in unpacked)
    if not isinstance(header, dict):
        raise FileError(f"{file.name}: {_HEADER} is not a JSON object")
    return {**header, "samples": samples}


def _unpacked(
    file: SourceFile, packed: zipfile.ZipFile, members: Sequence[zipfile.ZipInfo]
) -> list[tuple[str, bytes]]:
    """Unpack members, up to a limit in total.

    The sizes in a zip may be wrong, and two members may be the same bytes, so the unpacked bytes
    are counted.
    """
    unpacked: list[tuple[str, bytes]] = []
    room = MOST_UNPACKED
    for member in members:
        if member.file_size > room:
            raise too_large(file)
        if member.compress_type == _ZSTANDARD:
            data = _by_zstandard(file, member)
        elif member.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            with packed.open(member) as stream:
                data = stream.read(room + 1)
        else:
            reason = f"{member.filename} is compressed in a way that inspect does not use"
            raise FileError(f"{file.name}: cannot be unpacked: {reason}")
        room -= len(data)
        if room < 0:
            raise too_large(file)
        unpacked.append((member.filename, data))
    return unpacked


def _json(file: SourceFile, name: str, data: bytes, remarks: list[str]) -> Any:
    data, mendings = mended(data)
    remarks += [f"{name}: {mending}" for mending in mendings]
    return SourceFile(f"{file.name}, {name}", data).json()


def _by_zstandard(file: SourceFile, info: zipfile.ZipInfo) -> bytes:
    """Unpack a member packed by Zstandard; its name and extra field precede the data."""
    try:
        import pyarrow  # type: ignore[import-untyped]
    except ImportError as error:
        raise FileError(
            f"{file.name}: a log compressed with Zstandard needs an extra: "
            "pip install 'horsesense[parquet]'; or convert it: inspect log convert --to json"
        ) from error
    start = info.header_offset
    lengths = file.data[start + 26 : start + _LOCAL_HEADER]
    start += _LOCAL_HEADER + sum(int.from_bytes(lengths[at : at + 2], "little") for at in (0, 2))
    packed = file.data[start : start + info.compress_size]
    try:
        data: bytes = pyarrow.decompress(packed, info.file_size, codec="zstd", asbytes=True)
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise FileError(f"{file.name}: cannot be unpacked: {error}") from error
    # A wrong size would leave uninitialized bytes at the end.
    if zlib.crc32(data) != info.CRC:
        raise FileError(
            f"{file.name}: cannot be unpacked: {info.filename} does not match its checksum"
        )
    return data


def _numbers(header: Mapping[str, Any], samples: Sequence[Any]) -> dict[Any, int]:
    """Number the samples by id, in the order of the dataset if that is known."""
    dataset = header.get("dataset")
    order = dataset.get("sample_ids") if isinstance(dataset, dict) else None
    named = order if isinstance(order, list) else []
    places = {name: place for place, name in enumerate(named) if isinstance(name, str | int)}
    ids = dict.fromkeys(sample["id"] for sample in samples)
    ordered = sorted(ids, key=lambda name: places.get(name, len(places)))
    return {name: number for number, name in enumerate(ordered)}


def _document(file: str, number: int, sample: Mapping[str, Any]) -> Document:
    options = tuple(map(str, sample.get("choices") or ()))
    metadata = sample.get("metadata") or {}
    fields = {
        "id": sample["id"],
        "text": sample.get("input"),
        **{f"option{number}": option for number, option in enumerate(options, 1)},
        **metadata,
    }
    right = _letter(sample.get("target"), len(options))
    if right is not None:
        fields.setdefault("answer", right + 1)
    return Document(number, f"{file}, sample {sample['id']}", fields, options, (), right)


def _letter(answer: object, options: int) -> int | None:
    """Return the position of the option with this letter."""
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
        of_scorer = {
            number: score[scorer] for number, score in sorted(scores.items()) if scorer in score
        }
        try:
            solved = {number: verdict_of(score.get("value")) for number, score in of_scorer.items()}
        except (ValueError, AttributeError) as error:
            remarks.append(f"{scorer} is left out: {error}")
            continue
        yield _by_letters(scorer + suffix, of_scorer, solved, documents) or by_verdicts(
            scorer + suffix, solved
        )


def _by_letters(
    name: str,
    scores: Mapping[int, Mapping[str, Any]],
    solved: Mapping[int, bool | None],
    documents: Sequence[Document],
) -> LoggedMethod | None:
    """Make a method with the chosen options, or None if answers are not letters of options."""
    outcomes: dict[int, Outcome] = {}
    for number, score in scores.items():
        right, options = documents[number].right, documents[number].options
        chosen = _letter(score.get("answer"), len(options))
        if right is None or (chosen == right) is not bool(solved[number]):
            return None
        outcomes[number] = Outcome((), chosen, right, 0.0)
    none = sum(outcome.chosen is None for outcome in outcomes.values())
    remark = f"{counted(none, 'answer')} that match none of the options: undecided"
    return LoggedMethod(name, outcomes, remarks=(remark,) if none else ())

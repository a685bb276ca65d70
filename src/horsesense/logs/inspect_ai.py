"""Logs of inspect: `.eval`, a zip with a file for each sample, or the same as one `.json`.

Every scorer is a method, and so is every epoch of it where there are several. With choices, the
answer is the letter of an option; one that names none is undecided. Without, the log tells whether
a problem was solved.

Newer versions compress by Zstandard, which Python learnt in 3.14 only; pyarrow knows it too.
"""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import PurePath
from typing import Any

from horsesense.errors import FileError
from horsesense.importers import SourceFile
from horsesense.logs.document import Document, Method, Task, counted
from horsesense.logs.outcomes import by_verdicts, verdict_of
from horsesense.outcome import Outcome

_ZIP = b"PK\x03\x04"
_HEADER = "header.json"
_SAMPLES = "samples/"
_LOCAL_HEADER = 30
_DONE = "success"


def looks_like(file: SourceFile) -> bool:
    """True for a zip, and for JSON that begins as a log does."""
    if file.data.startswith(_ZIP):
        return True
    return file.head.lstrip().startswith("{") and all(
        field in file.head for field in ('"version"', '"status"', '"eval"', '"task"')
    )


def read(file: SourceFile) -> list[Task]:
    """The one task of the log."""
    log = _unzipped(file) if file.data.startswith(_ZIP) else file.json()
    told, samples = log.get("eval"), log.get("samples")
    if not isinstance(told, dict) or not isinstance(samples, list) or not samples:
        raise FileError(f"{file.name}: there are no samples in it")
    for at, sample in enumerate(samples, 1):
        if not _is_sample(sample):
            raise FileError(f"{file.name}: sample {at} is no sample of inspect")
    numbers = _numbers(told, samples)
    first = {sample["id"]: sample for sample in reversed(samples)}
    documents = [_document(file.name, n, first[name]) for name, n in numbers.items()]
    epochs = sorted({sample.get("epoch", 1) for sample in samples})
    methods: list[Method] = []
    remarks: list[str] = []
    for epoch in epochs:
        suffix = f" (epoch {epoch})" if len(epochs) > 1 else ""
        of_epoch = {
            numbers[sample["id"]]: sample for sample in samples if sample.get("epoch", 1) == epoch
        }
        methods += _methods(suffix, of_epoch, documents, remarks)
    if log.get("status") != _DONE:
        remarks.append(f"the run ended with {log.get('status')!r}")
    name, model = str(told.get("task", PurePath(file.name).name)), str(told.get("model", ""))
    return [Task(name, model, tuple(documents), tuple(methods), tuple(remarks))]


def _is_sample(sample: object) -> bool:
    return (
        isinstance(sample, dict)
        and isinstance(sample.get("id"), str | int)
        and type(sample.get("epoch", 1)) is int
        and isinstance(sample.get("choices") or [], list)
        and isinstance(sample.get("metadata") or {}, dict)
        and isinstance(sample.get("scores") or {}, dict)
    )


def _unzipped(file: SourceFile) -> dict[str, Any]:
    """The header, which has everything but the samples, and the samples."""
    try:
        with zipfile.ZipFile(BytesIO(file.data)) as packed:
            names = packed.namelist()
            if _HEADER not in names:
                raise FileError(f"{file.name}: no log of inspect, or one of a run that broke off")
            header: dict[str, Any] = json.loads(_member(file, packed, _HEADER))
            inside = [name for name in names if name.startswith(_SAMPLES)]
            samples = [json.loads(_member(file, packed, name)) for name in inside]
    # A runtime error is a zip that is encrypted, or newer than Python knows.
    except (zipfile.BadZipFile, EOFError, zlib.error, ValueError, RuntimeError) as error:
        raise FileError(f"{file.name}: cannot be unpacked: {error}") from error
    return {**header, "samples": samples}


def _member(file: SourceFile, packed: zipfile.ZipFile, name: str) -> bytes:
    try:
        return packed.read(name)
    except NotImplementedError:
        return _by_zstandard(file, packed.getinfo(name))


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
    except (pyarrow.ArrowException, OSError) as error:
        raise FileError(f"{file.name}: cannot be unpacked: {error}") from error
    return found


def _numbers(told: Mapping[str, Any], samples: Sequence[Any]) -> dict[Any, int]:
    """The numbers of the samples by their ids, in the order of the dataset where it is told."""
    dataset = told.get("dataset")
    order = dataset.get("sample_ids") if isinstance(dataset, dict) else None
    listed = {name: at for at, name in enumerate(order or ())}
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
) -> Iterator[Method]:
    scores = {number: sample.get("scores") or {} for number, sample in samples.items()}
    broken = sum(not one for one in scores.values())
    if broken:
        remarks.append(f"{counted(broken, 'sample')} without a score{suffix}")
    for scorer in dict.fromkeys(name for one in scores.values() for name in one):
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
) -> Method | None:
    """The method with what was chosen, None where answers are not the letters of options."""
    outcomes: dict[int, Outcome] = {}
    for number, score in given.items():
        right, options = documents[number].right, documents[number].options
        chosen = _letter(score.get("answer"), len(options))
        if right is None or (chosen == right) is not bool(solved[number]):
            return None
        outcomes[number] = Outcome((), chosen, right, 0.0)
    none = sum(one.chosen is None for one in outcomes.values())
    remark = f"{counted(none, 'answer')} that name none of the options: undecided"
    return Method(name, outcomes, remarks=(remark,) if none else ())

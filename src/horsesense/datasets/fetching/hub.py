"""Fetch datasets of the Hugging Face hub, which serves each of them as Parquet files.

Nothing is known of them beforehand: the hub says which configurations and splits there are, and
the columns decide which of our formats reads the rows. What was fetched is kept, and used from then
on as it was.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from horsesense.datasets.fetch_settings import current_settings, hub_address, offline_reason
from horsesense.datasets.fetching.download import (
    FetchError,
    cannot_write,
    data_folder,
    download,
    get,
)
from horsesense.datasets.fetching.fetched import Fetched
from horsesense.datasets.files import write_file
from horsesense.datasets.importers import SourceFile
from horsesense.datasets.importers.parquet import MOST_BYTES, needs_pyarrow
from horsesense.datasets.importers.rows import readable_rows
from horsesense.errors import FileError, UnknownNameError
from horsesense.schema import Header

SCHEME = "hf://datasets/"
_OWNER_AND_NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*", re.ASCII)
# A name that ends like this means a file that is not there.
_SUFFIX = re.compile(
    r"\.(schemas?|txt|xml|jsonl?|csv|tsv|parquet|lst|dev|test|db|md|yaml|gz|zip)", re.IGNORECASE
)
# A split with labels is worth most; test sets often come without them.
_SPLITS = ("validation", "test", "dev", "train")
_MOST_FILES = 50
_SHOWN = 12


@dataclass(frozen=True, slots=True)
class HubDataset:
    """A dataset of the hub; the configuration and the split are empty if none was named."""

    repository: str
    config: str = ""
    split: str = ""

    def __str__(self) -> str:
        return SCHEME + "/".join(filter(None, (self.repository, self.config, self.split)))


def find_hub_dataset(name: str) -> HubDataset | None:
    """Return the dataset of the hub that a name means; None if it means something else.

    >>> find_hub_dataset("hf://datasets/moor/owls/night"), find_hub_dataset("owls.csv")
    (HubDataset(repository='moor/owls', config='night', split=''), None)
    """
    if name.startswith(SCHEME):
        parts = name.removeprefix(SCHEME).strip("/").split("/")
        repository = "/".join(parts[:2])
        if len(parts) > 4 or not _OWNER_AND_NAME.fullmatch(repository):
            raise FileError(
                f"{name!r} is not the name of a dataset: {SCHEME}OWNER/NAME, optionally with"
                " /CONFIG and /SPLIT"
            )
        return HubDataset(repository, *parts[2:])
    suffix = Path(name).suffix
    if not _OWNER_AND_NAME.fullmatch(name) or _SUFFIX.fullmatch(suffix):
        return None
    return None if Path(name).parent.is_dir() else HubDataset(name)


def fetch_from_hub(requested: HubDataset, *, is_plain: bool = False) -> Fetched:
    """Return a dataset of the hub; fetch what has not been kept.

    `is_plain` says that the name could have been meant as a path.
    """
    if find_spec("pyarrow") is None:
        raise needs_pyarrow(str(requested))
    try:
        index = _index(requested)
        chosen = _chosen(requested, index)
        files = [_parquet(chosen, number) for number in range(_count(chosen, index))]
    except FetchError as error:
        start = f"there is no file {requested.repository} here, and " if is_plain else ""
        raise FetchError(f"{start}{requested} cannot be fetched: {error}", error.status) from error
    info = index["info"]
    licence = str(info["licence"])
    where = f"{chosen.repository}@{info['commit']}/{chosen.config}/{chosen.split}"
    rows = readable_rows([SourceFile(f"{where}/{file.name}", file.read_bytes()) for file in files])
    title = f"{chosen.repository}, {chosen.config}, {chosen.split}"
    header = Header(_name(chosen), title=title, licence=licence)
    report = f"{title}, as the hub has it; licence: {licence}"
    return Fetched(header, SourceFile(where, rows), report=report)


def _name(chosen: HubDataset) -> str:
    """The name of the dataset: its own, the configuration unless it is the default, the split."""
    config = "" if chosen.config == "default" else chosen.config
    parts = filter(None, (chosen.repository.partition("/")[2], config, chosen.split))
    return re.sub(r"[^A-Za-z0-9._-]+", "-", "-".join(parts)).strip("-._")[:100]


def _folder(dataset: HubDataset) -> Path:
    """The folder of what was fetched; no name of the hub can lead out of it."""
    parts = (dataset.repository, dataset.config, dataset.split)
    return data_folder() / "hub" / "--".join(quote(part, safe="") for part in parts if part)


def _index(requested: HubDataset) -> dict[str, Any]:
    """A dataset on the hub: its configurations, their splits, and its licence."""
    path = _folder(HubDataset(requested.repository)) / "index.json"
    with suppress(OSError, ValueError):
        return dict(json.loads(path.read_bytes()))
    if reason := offline_reason():
        raise FetchError(f"{reason}, and it has not been fetched before{_by_hand(requested)}")
    current_settings().note(f"fetching {requested} from {hub_address()}")
    info = _ask(requested, "")
    configs = _ask(requested, "/parquet")
    index = {"info": _info(info), "configs": _counts(configs)}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(path, error) from error
    write_file(path, [json.dumps(index)], overwrite=True)
    return index


def _ask(requested: HubDataset, what: str) -> Any:
    address = f"{hub_address()}/api/datasets/{requested.repository}{what}"
    try:
        return json.loads(get(address))
    except FetchError as error:
        raise _explained(requested, error, bool(what)) from error
    except (ValueError, RecursionError) as error:
        raise FetchError(f"{_hub()} does not respond like the Hugging Face hub") from error


def _explained(requested: HubDataset, error: FetchError, has_dataset: bool) -> FetchError:
    """Say what an answer of the hub means."""
    by_hand = _by_hand(requested)
    if error.status == 401 and not has_dataset:
        text = f"{_hub()} has no such dataset, or keeps it private; check the spelling{by_hand}"
    elif error.is_refused:
        text = (
            f"{_hub()} gives it only to those who were granted access (it is gated): ask for"
            f" access there{by_hand}"
        )
    elif error.is_missing and has_dataset:
        text = f"{_hub()} has no Parquet files of it{by_hand}"
    elif error.is_missing:
        text = f"{_hub()} has no such dataset; check the spelling"
    else:
        text = f"{error}{by_hand}"
    return FetchError(text, error.status)


def _by_hand(requested: HubDataset) -> str:
    place = f"{hub_address()}/datasets/{requested.repository}"
    return (
        f"\n  Get a Parquet file of it yourself from {place} (branch refs/convert/parquet)."
        "\n  Then type: horsesense dataset import FILE.parquet"
    )


def _hub() -> str:
    return urlsplit(hub_address()).netloc


def _info(info: Any) -> dict[str, str]:
    """The licence and the commit, as far as the hub says."""
    info = info if isinstance(info, Mapping) else {}
    tags = info.get("tags")
    tags = [str(tag) for tag in tags] if isinstance(tags, list) else []
    licences = [tag.removeprefix("license:") for tag in tags if tag.startswith("license:")]
    commit = re.sub(r"[^0-9a-f]", "", str(info.get("sha", "")))[:12]
    return {"licence": ", ".join(licences) or "not stated", "commit": commit or "unknown"}


def _counts(configs: Any) -> dict[str, dict[str, int]]:
    """The number of files of each split of each configuration."""
    try:
        return {
            str(config): {str(split): len(files) for split, files in splits.items()}
            for config, splits in configs.items()
        }
    except (AttributeError, TypeError) as error:
        raise FetchError(f"{_hub()} does not respond like the Hugging Face hub") from error


def _chosen(requested: HubDataset, index: Mapping[str, Any]) -> HubDataset:
    """The dataset with the configuration and the split that were named, or the usual ones."""
    configs: Mapping[str, Mapping[str, int]] = index["configs"]
    repository = requested.repository
    config = requested.config or _only(configs, ("default",))
    if not config:
        raise FileError(
            f"{requested} has several configurations; name one:"
            f" {SCHEME}{repository}/CONFIG with {_listed(configs)}"
        )
    if config not in configs:
        raise UnknownNameError(f"configuration of {repository}", config, configs)
    splits = configs[config]
    split = requested.split or _only(splits, _SPLITS)
    if not split:
        raise FileError(
            f"{requested} has several splits; name one:"
            f" {SCHEME}{repository}/{config}/SPLIT with {_listed(splits)}"
        )
    if split not in splits:
        raise UnknownNameError(f"split of {repository}", split, splits)
    if not requested.split and len(splits) > 1:
        others = _listed([other for other in splits if other != split])
        current_settings().note(f"{requested}: the split {split}; there is also {others}")
    return HubDataset(repository, config, split)


def _only(names: Mapping[str, object], usual: Sequence[str]) -> str:
    """The only name, or else the first of the usual ones that is there; or none."""
    if len(names) == 1:
        return next(iter(names))
    return next((name for name in usual if name in names), "")


def _listed(names: Mapping[str, object] | Sequence[str]) -> str:
    names = list(names)
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def _count(chosen: HubDataset, index: Mapping[str, Any]) -> int:
    count = int(index["configs"][chosen.config][chosen.split])
    if count > _MOST_FILES:
        raise FileError(
            f"{chosen} is too large: it has {count} files, and {_MOST_FILES} are allowed at most"
        )
    return count


def _parquet(chosen: HubDataset, number: int) -> Path:
    """The path of one of the files; it is kept with its hash, and fetched if need be."""
    path = _folder(chosen) / f"{number}.parquet"
    if _is_whole(path):
        return path
    if reason := offline_reason():
        raise FetchError(f"{reason}, and it has not been fetched before{_by_hand(chosen)}")
    place = "/".join(quote(part, safe="") for part in (chosen.config, chosen.split))
    address = f"{hub_address()}/api/datasets/{chosen.repository}/parquet/{place}/{path.name}"
    try:
        download(address, path, size=0, most=MOST_BYTES, check=_keep_hash(path))
    except FetchError as error:
        raise _explained(chosen, error, True) from error
    return path


def _keep_hash(path: Path) -> Callable[[str], None]:
    def keep(digest: str) -> None:
        write_file(_hash_path(path), [digest], overwrite=True)

    return keep


def _is_whole(path: Path) -> bool:
    try:
        return _hash_path(path).read_text() == sha256(path.read_bytes()).hexdigest()
    except (OSError, ValueError):
        return False


def _hash_path(path: Path) -> Path:
    return path.with_suffix(".sha256")

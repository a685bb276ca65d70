from collections.abc import Iterator
from math import log
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.errors import FileError
from horsesense.models import FirstToken
from horsesense.scoring import (
    FrequencyTable,
    count_frequencies,
    read_frequencies,
    write_frequencies,
)
from tests.datasets.importers.imported import DATA
from tests.strategies import brisk


def test_a_token_that_never_occurs_counts_as_half_a_one() -> None:
    table = FrequencyTable(8, {3: 8, 4: 0})
    assert table.log_prob(3) == (0.0, FirstToken.TABLE)
    assert table.log_prob(4) == table.log_prob(5) == (log(0.5 / 8), FirstToken.FLOOR)


@pytest.mark.parametrize(
    ("total", "counts", "why"),
    [
        (0, {}, "no token is counted"),
        (5, {1: 4}, "the counts add up to 4, but the total is 5"),
        (1, {-1: 1}, "ids and counts cannot be negative"),
        (1, {0: 2, 1: -1}, "ids and counts cannot be negative"),
    ],
)
def test_a_table_must_be_one(total: int, counts: dict[int, int], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        FrequencyTable(total, counts)


def test_documents_are_counted_one_after_the_other() -> None:
    read: list[int] = []

    def documents() -> Iterator[Iterator[int]]:
        for number in range(3):
            read.append(number)
            yield iter((7, number))

    table = count_frequencies(documents(), eos=9)
    assert table == FrequencyTable(9, {7: 3, 0: 1, 1: 1, 2: 1, 9: 3})
    assert count_frequencies([(7,)], eos=None) == FrequencyTable(1, {7: 1})


@brisk
@given(counts=st.dictionaries(st.integers(0, 10**6), st.integers(1, 10**12), min_size=1))
def test_what_was_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, counts: dict[int, int]
) -> None:
    path = tmp_path_factory.mktemp("tables") / "frequencies.txt"
    table = FrequencyTable(sum(counts.values()), counts)
    write_frequencies(table, path)
    assert read_frequencies(path) == table


def test_a_table_is_written_in_the_format_of_the_thesis(tmp_path: Path) -> None:
    path = tmp_path / "frequencies.txt"
    write_frequencies(FrequencyTable(5, {9: 1, 4: 4}), path)
    assert path.read_bytes() == b"5\n{4: 4, 9: 1}"
    assert list(tmp_path.iterdir()) == [path]


def test_a_table_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "frequencies.txt"
    path.mkdir()
    with pytest.raises(FileError, match="cannot be written: Is a directory"):
        write_frequencies(FrequencyTable(1, {0: 1}), path)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("", "line 1: the total is not a whole number: ''"),
        ("many\n{1: 1}", "line 1: the total is not a whole number: 'many'"),
        ("-1\n{1: 1}", "line 1: the total is not a whole number: '-1'"),
        ("1", "line 2: the counts are not in braces: ''"),
        ("1\n[1, 1]", r"line 2: the counts are not in braces: '\[1, 1\]'"),
        ('1\n{"1": 1}', "line 2: item 1 is not 'id: count': '\"1\": 1'"),
        ("2\n{1: 1, 2: 1.0}", "line 2: item 2 is not 'id: count': ' 2: 1.0'"),
        ("2\n{1: 1, 2: -1}", "line 2: item 2 is not 'id: count': ' 2: -1'"),
        ("1\n{1: 1,}", "line 2: item 2 is not 'id: count': ''"),
        ("1\n{__import__('os'): 1}", "line 2: item 1 is not 'id: count'"),
        ("2\n{1: 1, 1: 1}", "line 2: token 1 is counted twice"),
        ("3\n{1: 1, 2: 1}", "the counts add up to 2, but the total is 3"),
        ("0\n{}", "no token is counted"),
        ("1\n{1: 1}\n{2: 2}", "line 3: nothing should follow the counts: '{2: 2}'"),
        ("1\n" + "x" * 99, "line 2: the counts are not in braces: 'x{40}…'"),
    ],
)
def test_a_broken_table_says_where_and_why(tmp_path: Path, content: str, why: str) -> None:
    path = tmp_path / "frequencies.txt"
    path.write_text(content)
    expected = f"frequencies.txt is not a table of token frequencies: {why}"
    with pytest.raises(FileError, match=expected):
        read_frequencies(path)


def test_what_is_no_text_or_no_file_is_no_table(tmp_path: Path) -> None:
    path = tmp_path / "frequencies.txt"
    with pytest.raises(FileError, match="cannot be read: No such file"):
        read_frequencies(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FileError, match="it is not text"):
        read_frequencies(path)


def test_white_space_around_the_lines_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "frequencies.txt"
    path.write_bytes(b" 3 \r\n { 1 : 1 ,2:2} \r\n\r\n")
    assert read_frequencies(path) == FrequencyTable(3, {1: 1, 2: 2})


@pytest.mark.parametrize(
    ("name", "tokens", "documents"), [("with", 50_090, 250_000), ("without", 50_089, 0)]
)
def test_the_tables_of_the_thesis(name: str, tokens: int, documents: int) -> None:
    path = DATA / "token_frequencies" / f"frequencies_{name}_eos.txt"
    if not path.exists():
        pytest.skip(f"{path.name} is not at hand")
    table = read_frequencies(path)
    assert table.total == 146_325_057 + documents
    assert len(table.counts) == tokens
    assert table.counts.get(50_256, 0) == documents
    assert table.fits(50_257)

"""Whatever a file holds, what is wrong with it is told in our own words, and in good time."""

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.datasets.importers import FORMATS, FileImport, SourceFile
from horsesense.datasets.recovery import Journal
from horsesense.errors import HorsesenseError, ImportFaults, SchemaError
from horsesense.schema import Header, IssueKind
from horsesense.schema.notation import print_entry
from tests.datasets.importers.samples import SAMPLES
from tests.datasets.recovery.twins import limited
from tests.strategies import brisk

# What a reader may stumble over.
STONES = (
    *(
        b"",
        b" ",
        b"  ",
        b"\t",
        b"\n",
        b"\r\n",
        b"\x00",
        b"\xff",
        b"\xc3",
        b"\xef\xbb\xbf",
        b"\xc2\xa0",
    ),
    *(
        b'"',
        b"'s",
        b"{",
        b"}",
        b"[",
        b"]",
        b"{}",
        b"[]",
        b"<",
        b">",
        b"&",
        b"&owl;",
        b"\\",
        b"_",
        b".",
    ),
    *(b"null", b"true", b"-1", b"1.5", b"NaN", b"1e999", b"\\ud800", b"\\u0000", b"9" * 5000),
    *(b"[MASK]", b"*target*", b"</schema>", b"</collection>", b"\xe2\x92\xb6", b"x" * 11_000),
    *(b'": 1', b'": null', b'": []', b'": {}', b'": true', b'": ""', b'": "'),
)
# A field, an attribute, a text between tags; in JSON what is quoted, or a number with its space.
VALUE = re.compile(rb"""(?<=[\t\n&>/,:"])[^\t\n&<>/,:"}\]]+(?=[\t\n&</,:"}\]])""")
OTHER_VALUES = (
    *(
        b"",
        b" ",
        b"'s",
        b"true",
        b" true",
        b"null",
        b" null",
        b" []",
        b" {}",
        b' ""',
        b" -1",
        b" 1.5",
    ),
    *(b"9" * 5000, b"\\u0000", b"\xff", b" 7", b"_", b"Q"),
)


def read_all(name: str, data: bytes, *, keep_going: bool, recipe: str = "") -> list[str]:
    """Read a file to the end, or up to an error of our own; what was told of it."""
    form = FORMATS[name]
    file, journal = SourceFile("own", data), Journal()
    reading = FileImport(file, form, Header("x"), journal, (), keep_going, recipe)
    with limited(10):
        form.looks_like(file)
        form.describe(file)
        try:
            for entry in reading:
                # Whatever comes out can be stored.
                print_entry(entry)
        except ImportFaults as error:
            assert not keep_going
            assert error.faults == tuple(sorted((one.line, one.odd) for one in journal.faults))
            assert str(error)
        except SchemaError:
            pytest.fail("one entry has spoilt all of the file")
        except HorsesenseError as error:
            assert "own" in str(error) or recipe
    last = data.count(b"\n") + 1
    assert all(0 <= issue.line <= last for issue in reading.issues())
    return [one.name for one in reading.issues() if one.kind is IssueKind.FAULT]


def sample_of(name: str) -> bytes:
    sample = SAMPLES[name]
    return sample if isinstance(sample, bytes) else sample.encode()


def spoilt(data: bytes, random: Random) -> bytes:
    """The data with something taken out, put in, doubled or replaced in a place or two."""
    for _ in range(random.choice([1, 1, 2])):
        start = random.randrange(len(data) + 1)
        end = min(len(data), start + random.choice([0, 1, 2, 8, 40]))
        stretch = random.choice(
            [b"", data[start:end] * 2, random.choice(STONES), random.choice(STONES)]
        )
        data = data[:start] + stretch + data[end:]
    return data


@pytest.mark.parametrize("name", FORMATS)
def test_a_spoilt_file_raises_nothing_but_errors_of_our_own(name: str) -> None:
    random, sample = Random(name), sample_of(name)
    recipes = ["", *FORMATS[name].recipes]
    for _ in range(60):
        data = spoilt(sample, random)
        for keep_going in (True, False):
            read_all(name, data, keep_going=keep_going, recipe=random.choice(recipes))


def unlabelled(name: str) -> bytes:
    """The sample without its labels, as files to be tested on are published."""
    return re.sub(rb', "(label|answer)": ("\d"|\d|true|false)', b"", sample_of(name))


@pytest.mark.parametrize(
    "name, sample",
    [
        *((name, sample_of(name)) for name in FORMATS if name != "table-parquet"),
        *((name, unlabelled(name)) for name in ("winogrande", "superglue-copa", "superglue-wsc")),
        ("thesis-text", sample_of("thesis-text").replace(b"by answer", b"by key")),
        ("thesis-text", sample_of("thesis-text").replace(b"roads", b"wsc266")),
    ],
)
def test_so_does_every_value_that_is_another(name: str, sample: bytes) -> None:
    for value in VALUE.finditer(sample):
        for other in OTHER_VALUES:
            data = sample[: value.start()] + other + sample[value.end() :]
            read_all(name, data, keep_going=True)


@pytest.mark.parametrize("name", FORMATS)
def test_so_does_junk(name: str) -> None:
    for data in (b"", b"x", b"\xff\n", b"{}\n", b"<a/>", b"a\tb\n1\t2\n", b"PAR1"):
        read_all(name, data, keep_going=True)


@pytest.mark.parametrize("name", FORMATS)
def test_so_does_a_file_that_was_cut_off(name: str) -> None:
    sample = sample_of(name)
    for length in range(0, len(sample), max(1, len(sample) // 40)):
        read_all(name, sample[:length], keep_going=length % 2 == 0)


@pytest.mark.parametrize("name", FORMATS)
def test_so_do_the_files_of_all_other_formats(name: str) -> None:
    for other in FORMATS:
        read_all(name, sample_of(other), keep_going=True)


@given(st.binary(max_size=60), st.sampled_from(list(FORMATS)), st.booleans())
@brisk
def test_so_do_any_bytes(data: bytes, name: str, keep_going: bool) -> None:
    read_all(name, data, keep_going=keep_going)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    "data", [b"x" * 1_000_000, b'{"a": "' + b"x " * 500_000 + b'"}', b"\n" * 9000]
)
def test_so_does_one_very_long_line(name: str, data: bytes) -> None:
    read_all(name, data, keep_going=False)


@pytest.mark.parametrize("name", FORMATS)
def test_a_word_that_is_too_long_spoils_one_entry_and_no_more(name: str) -> None:
    sample = sample_of(name)
    if name == "table-parquet":
        pytest.skip("a column cannot be lengthened in place")
    for word in (b"lorry", b"owl", b"vole", b"Nora", b"bridge", b"plumber", b"tenant", b"can"):
        data = sample.replace(word, word * 3000, 1)
        if data != sample:
            assert set(read_all(name, data, keep_going=True)) <= {"not-usable", "bad-row"}

"""Plans in YAML, and what is given besides."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from horsesense.errors import FileError, HorsesenseError
from horsesense.evaluation.protocol import parse_plan, plan_from, plan_text, read_plan
from horsesense.evaluation.protocol.plans import PlanError, check_fields
from horsesense.results import Plan

FULL = """\
# two checkpoints, every night
models: [gpt2, ./checkpoint]
data: hs-winograd
perturbations:
  - switched
  - by-key
subsets: [associative, not (kitchen or people)]
sample: 20
memory: 2
frequencies: table.txt
allow_pickle: yes
keep_going: yes
"""


# Each list has three of the list before it.
BOMB = "[&a0 [x, x]" + "".join(f", &a{n + 1} [*a{n}, *a{n}, *a{n}]" for n in range(40)) + "]"


def test_a_plan_is_read_with_every_kind_of_value(tmp_path: Path) -> None:
    path = tmp_path / "plan.yaml"
    path.write_text(FULL, encoding="utf-8")
    assert read_plan(path) == {
        "models": ("gpt2", "./checkpoint"),
        "data": ("hs-winograd",),
        "perturbations": ("switched", "by-key"),
        "subsets": ("associative", "not (kitchen or people)"),
        "sample": 20,
        "memory": 2.0,
        "frequencies": "table.txt",
        "allow_pickle": True,
        "keep_going": True,
    }


def test_what_is_written_is_what_is_read() -> None:
    plan = plan_from(parse_plan(FULL), {"wrapper": "Es ist |wahr, falsch|, dass …", "batch": 64})
    assert Plan(**parse_plan(plan_text(plan))) == plan
    assert list(parse_plan(plan_text(plan))) == [field.name for field in fields(Plan)]


def test_what_is_given_goes_before_what_is_in_the_file() -> None:
    plan = plan_from(parse_plan(FULL), {"models": ("opt",), "sample": None, "methods": ()})
    assert (plan.models, plan.sample, plan.methods) == (("opt",), 20, ("all",))


def test_without_a_word_the_default_is_evaluated_on_the_data_in_the_box() -> None:
    plan = plan_from()
    assert plan.models == ("smollm2-135m",)
    assert plan.data == ("hs-winograd", "hs-adversarial")
    assert parse_plan("# nothing yet\n") == {}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("seed: 1\nmodle: gpt2\n", "p:2: a plan has no field 'modle'; did you mean mod"),
        (
            'seed: 1\nmodels: "\\U00110000"\n',
            "p:2: invalid YAML: an escape stands for a char",
        ),
        (
            '"\\Uffffffff": 1\n',
            "p:1: invalid YAML: an escape stands for a character that",
        ),
        ("zebra: 1\n", "p:1: a plan has no field 'zebra' (known: models, data,"),
        ("seed: 1\n\nseed: 2\n", "p:3: seed occurs twice"),
        ("sample: many\n", "p:1: sample is 'many', but must be a whole number"),
        ("seed: yes\n", "p:1: seed is True, but must be a whole number"),
        ("memory: true\n", "p:1: memory is True, but must be a number"),
        ("allow_pickle: 1\n", "p:1: allow_pickle is 1, but must be true or false"),
        ("dtype: [float32]\n", "p:1: dtype is ['float32'], but must be a string"),
        ("models: []\n", "p:1: models is [], but must be a string, or a list of strings that is"),
        ("models: [{a: b}]\n", "p:1: models is [{'a': 'b'}], but must be a string"),
        ("seed: 1\nresamples: 99999999999\n", "p:2: resamples is 99999999999, but must be a wh"),
        ("resamples: 0\n", "p:1: resamples is 0, but must be a whole number from 1"),
        ("memory: -1\n", "p:1: memory is -1.0, but must be a number from 0.01 to 10000"),
        ("memory: .nan\n", "p:1: memory is nan, but must be a number"),
        ("first: -3\n", "p:1: first is -3, but must be a whole number from 1"),
        (f"seed: {10**30}\n", "p:1: seed is 1000000000000000000000000000000, but must be"),
        ("batch: 0\n", "p:1: batch is 0, but must be a whole number from 1"),
        ("batch: many\n", "p:1: batch is 'many', but must be a whole number"),
        ("ties: maybe\n", "p:1: no rule for ties named 'maybe'"),
        ("subsets: ['and and']\n", "p:1: invalid subset: column 1: "),
        ("methods: partail\n", "p:1: no scoring method named 'partail'; did you mean"),
        ("perturbations: [none, all]\n", "p:1: 'none' cannot be combined"),
        ("device: tpu\n", "p:1: 'tpu' is not a valid device"),
        ("seed:\n", "p:1: seed has no value; add one, or remove the line"),
        ("- gpt2\n", "p:1: a plan has lines such as 'models: gpt2'"),
        ("seed: 1\nmodels: [gpt2\ndata: x\n", "p:3: invalid YAML: "),
        (
            "seed: !!python/object:os.system {}\n",
            "p:1: invalid YAML: could not determine a c",
        ),
        (
            "models: a\nseed: \x07\n",
            "p:2: invalid YAML: the character U+0007 is not allowed",
        ),
        ("seed: 1\n--- \nseed: 2\n", "p:2: invalid YAML: expected a single document in"),
        (
            f"seed: {'9' * 5000}\n",
            f"p:1: '{'9' * 99}… is not a valid YAML ",
        ),
        (
            f"seed: 0x{'f' * 5000}\n",
            "p:1: seed is a number with too many digits, but must be",
        ),
        (
            f"memory: 0x{'f' * 5000}\n",
            "p:1: memory is a number with too many digits, but must b",
        ),
        (
            f"models: 0x{'f' * 5000}\n",
            "p:1: models is a number with too many digits, but must b",
        ),
        ("a: 1\n", "p:1: a plan has no field 'a'"),
        ("? [a]\n: 1\n", "p:1: a plan has no field ['a'] (known: models, "),
        (
            "seed: 1\nsample: 2001-99-99\n",
            "p:2: '2001-99-99' is not a valid YAML",
        ),
        ("sample: 2001-12-14\n", "p:1: sample is 2001-12-14, but must be a whole"),
        ("limit: !!timestamp x\n", "p:1: 'x' is not a valid YAML timestamp"),
        ("limit: !!bool x\n", "p:1: 'x' is not a valid YAML bool"),
        (
            'models: "a\\0b"\n',
            r"p:1: models is 'a\x00b', but must be a string without control",
        ),
        ('models: ["a\\ud800"]\n', "p:1: models is ['a"),
        (
            f"models: {'x' * 3000}\n",
            f"p:1: models is '{'x' * 99}…, but must be a string of at",
        ),
        (
            f"seed: 1\nmodels: {'[' * 3000}",
            "p:2: this is nested too deeply; a plan has at most",
        ),
        (f"device: {'x' * 1900}\n", f"p:1: '{'x' * 700}"),
        (
            f"seed: !{'x' * 1900} 1\n",
            "p:1: invalid YAML: could not determine a constructor for",
        ),
        ("models: &a [*a]\n", "p:1: this contains itself, through an alias"),
        (
            f"seed: 1\nmodels: {BOMB}\n",
            "p:2: a plan can have at most 10,000 values, counting aliases",
        ),
    ],
)
def test_what_is_wrong_with_a_plan_is_told_with_its_line(text: str, told: str) -> None:
    with pytest.raises(HorsesenseError) as caught:
        parse_plan(text, "p")
    assert str(caught.value).startswith(told)
    assert len(str(caught.value)) < 1_000
    # Invalid YAML is a bad file; an invalid value in valid YAML is wrong usage.
    assert caught.value.exit_code == (5 if "invalid YAML" in told else 2)


def test_a_plan_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="plan.yaml cannot be read: No such file"):
        read_plan(tmp_path / "plan.yaml")
    (tmp_path / "plan.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FileError, match=r"plan.yaml:1: not a text file: byte 0xff is not UTF-8"):
        read_plan(tmp_path / "plan.yaml")
    (tmp_path / "plan.yaml").write_bytes(b"# x\n" * 2**19)
    with pytest.raises(FileError, match=r"plan.yaml:1: not a plan: it has more than 64 KiB"):
        read_plan(tmp_path / "plan.yaml")


def test_an_alias_stands_for_what_it_names() -> None:
    assert parse_plan("models: &m [gpt2]\ndata: *m\n") == {"models": ("gpt2",), "data": ("gpt2",)}


def test_the_limit_of_an_earlier_plan_takes_the_first_schemas() -> None:
    assert parse_plan("limit: 20\n") == {"first": 20}
    with pytest.raises(PlanError, match="p:2: first occurs twice"):
        parse_plan("first: 20\nlimit: 20\n", "p")


def test_a_plan_has_a_sample_or_the_first_schemas() -> None:
    with pytest.raises(PlanError, match="p:2: sample draws schemas at random, and first takes"):
        parse_plan("sample: 20\nfirst: 20\n", "p")
    assert parse_plan("sample: 20\nfirst: null\n") == {"sample": 20, "first": None}
    with pytest.raises(PlanError, match="sample draws schemas at random"):
        check_fields(plan_from({"sample": 20, "first": 20}))


def test_nothing_and_a_number_can_be_values() -> None:
    assert parse_plan("sample: null\ndata: 7\n") == {"sample": None, "data": ("7",)}
    assert parse_plan("batch: auto\n") == {"batch": None}

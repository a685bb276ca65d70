from __future__ import annotations

from dataclasses import replace
from typing import Any

import click
import pytest
from click.testing import CliRunner

from horsesense.cli.run import DTYPES, STRADDLING, WRAPPERS, RunCommand, plan_options
from horsesense.cli.running import pop_plan_fields
from horsesense.models import DTYPES as MODEL_DTYPES
from horsesense.models import Straddling
from horsesense.results import Plan
from horsesense.results.record import LIMITS, TIES
from horsesense.schema.notation import WRAPPERS as SCHEMA_WRAPPERS

PLAN = Plan(models=("ant",), data=("garden",), batch=512, first=9, seed=3)


def planned(*arguments: str) -> Plan:
    """What the options make of a plan."""
    found: list[Plan] = []

    @click.command(cls=RunCommand)
    @click.argument("file", required=False)
    @plan_options
    def command(file: str | None, **options: Any) -> None:
        found.append(replace(PLAN, **pop_plan_fields(options)))

    result = CliRunner().invoke(command, arguments, standalone_mode=False)
    if result.exception:
        raise result.exception
    return found[0]


def test_what_is_not_said_stays_as_planned() -> None:
    assert planned() == PLAN


def test_what_is_said_overrules_the_plan() -> None:
    found = planned("-M", "bee", "-L", "4", "-s", "0", "-b", "64", "--allow-pickle", "--keep-going")
    assert (found.models, found.sample, found.seed) == (("bee",), 4, 0)
    assert (found.batch, found.allow_pickle, found.data) == (64, True, ("garden",))
    assert found.keep_going and not planned().keep_going
    assert planned("--batch", "auto").batch is None
    assert planned("--first", "4") == replace(PLAN, first=4)
    assert planned("--limit", "4") == replace(PLAN, sample=4)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--data", "owls", "--data", "moors"],
        ["--tasks", "owls,moors"],
        ["-t", "owls moors"],
        ["-t", "owls", "moors"],
        ["-t", "owls", "moors", "plan.yaml"],
        ["plan", "--tasks", "owls", "moors", "--first", "9"],
    ],
)
def test_lists_may_be_written_in_every_way(arguments: list[str]) -> None:
    assert planned(*arguments) == replace(PLAN, data=("owls", "moors"))


def test_choices_are_those_of_the_library() -> None:
    assert tuple(MODEL_DTYPES) == DTYPES
    assert tuple(part.value for part in Straddling) == STRADDLING
    assert tuple(SCHEMA_WRAPPERS) == WRAPPERS


def test_options_have_the_limits_of_the_fields_of_a_plan() -> None:
    command = plan_options(click.Command("run"))
    kinds = {one.name: one.type for one in command.params}
    for name, limits in LIMITS.items():
        if name != "batch":
            kind = kinds[name]
            assert isinstance(kind, click.IntRange | click.FloatRange)
            assert (kind.min, kind.max) == (limits.least, limits.most)
    assert isinstance(kinds["ties"], click.Choice) and tuple(kinds["ties"].choices) == TIES


def test_a_path_with_a_space_stays_whole(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my, own.schemas").write_text("")
    assert planned("--data", "my, own.schemas").data == ("my, own.schemas",)


def test_a_subset_keeps_its_spaces() -> None:
    found = planned("--subset", "animals and not associative", "--subset", "tools")
    assert found.subsets == ("animals and not associative", "tools")


def test_a_schema_is_not_split_at_its_commas() -> None:
    schema = "hay <keeps, rots> when {dry, damp}"
    assert planned("--data", schema).data == (schema,)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--batch_size", "8"), "No such option '--batch_size': --batch counts tokens"),
        (("--log_samples",), "No such option '--log_samples': every answer is stored"),
    ],
)
def test_an_option_of_the_harness_that_is_not_here_is_explained(
    arguments: tuple[str, ...], message: str
) -> None:
    with pytest.raises(click.UsageError, match=message):
        planned(*arguments)


def test_any_other_unknown_option_gets_the_nearest_one() -> None:
    with pytest.raises(click.NoSuchOption) as caught:
        planned("--bacth", "8")
    assert "--batch" in (caught.value.possibilities or ())


@pytest.mark.parametrize("name", ["hf", "hf-mlm", "hf-seq2seq"])
def test_a_model_may_be_named_as_in_the_harness(name: str) -> None:
    found = planned("--model", name, "--model_args", "pretrained=someone/ant,dtype=bfloat16")
    assert (found.models, found.dtype) == (("someone/ant",), "bfloat16")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--model", "hf"], "^--model hf needs --model_args pretrained=NAME$"),
        (["--model", "hf-mlm"], "^--model hf-mlm needs --model_args pretrained=NAME$"),
        (["--model_args", "pretrained=ant"], "--model_args needs --model hf"),
        (["--model", "hf", "--model_args", "dtype=float32"], "has no model: add pretrained=NAME"),
        (["--model", "hf", "--model_args", "ant"], "write 'ant' as NAME=VALUE"),
        (
            ["--model", "hf", "--model_args", "pretrained=ant,parallelize=True"],
            "'parallelize' is not supported",
        ),
        (
            ["--model", "hf", "--model_args", "pretrained=ant,dtype=auto"],
            "leave it out",
        ),
        (
            ["--model", "hf", "--model_args", "pretrained=a,dtype=float16", "--dtype", "float64"],
            "--dtype float64 contradicts --model_args dtype=float16",
        ),
        (["--batch", "0"], "'0' is neither a number of tokens nor auto"),
        (["--batch", "many"], "'many' is neither a number of tokens nor auto"),
        (["--limit", "0"], "0 is not in the range"),
    ],
)
def test_what_cannot_be_meant_is_refused(arguments: list[str], message: str) -> None:
    with pytest.raises(click.UsageError, match=message):
        planned(*arguments)


def test_a_served_model_may_be_named_as_in_the_harness() -> None:
    arguments = (
        "base_url=http://127.0.0.1:8000/v1/completions,model=acme/ant,tokenizer=ants/7b,"
        "num_concurrent=4,max_retries=2,timeout=9,tokenized_requests=True,"
        "tokenizer_backend=huggingface"
    )
    assert planned("--model", "local-completions", "--model_args", arguments) == replace(
        PLAN,
        models=("openai:acme/ant@http://127.0.0.1:8000/v1/completions",),
        tokenizer="ants/7b",
        concurrency=4,
        retries=2,
        timeout=9.0,
    )


def test_a_served_chat_model_may_be_named_as_in_the_harness() -> None:
    arguments = "base_url=http://127.0.0.1:8000/v1/chat/completions,model=ant"
    plan = planned("--model", "local-chat-completions", "--model_args", arguments)
    assert plan.models == ("chat:ant@http://127.0.0.1:8000/v1/chat/completions",)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("model=ant", "has no base_url: add base_url=URL,model=NAME"),
        ("base_url=http://127.0.0.1:8000", "has no model: add base_url=URL,model=NAME"),
        ("base_url=u,model=ant,tokenized_requests=False", "'tokenized_requests' is not supported"),
        ("base_url=u,model=ant,num_concurrent=many", "num_concurrent is 'many', not a number"),
        ("base_url=u,model=ant,pretrained=ant", "'pretrained' is not supported"),
    ],
)
def test_unusable_arguments_of_a_served_model_are_refused(arguments: str, message: str) -> None:
    with pytest.raises(click.UsageError, match=message):
        planned("--model", "local-completions", "--model_args", arguments)


def test_arguments_belong_to_one_model() -> None:
    with pytest.raises(click.UsageError, match="is for one model"):
        planned("--model", "hf,local-completions", "--model_args", "pretrained=ant")


def test_the_options_for_servers_are_fields_of_the_plan() -> None:
    options = ("--concurrency", "4", "--max-requests", "9", "--max-cost", "1", "--price-input", "2")
    plan = planned(*options)
    assert (plan.concurrency, plan.max_requests, plan.max_cost) == (4, 9, 1.0)
    assert (plan.price_input, plan.price_output, plan.retries) == (2.0, None, PLAN.retries)

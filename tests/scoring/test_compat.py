import pytest

from horsesense.models import Family, FirstToken, Observation
from horsesense.scoring import Result, Scores, Undefined, find_method, score_problem
from tests.scoring.observed import causal

LONG = "Owls hunt [mice] late at night ."
OTHER = "Owls hunt [big voles] late at night ."


def scored(program: str, *observations: Observation) -> Result:
    return score_problem(find_method(f"compat:{program}", Family.CAUSAL), observations)


def scores(program: str, *observations: Observation) -> Scores:
    result = scored(program, *observations)
    assert isinstance(result, Scores)
    return result


def test_where_the_seam_differs_it_is_what_was_read() -> None:
    seam = causal("Owls hunt [mice] . . .")
    observed = causal("Owls hunt [mice] .", seam=seam)
    result = scored("lm-eval", observed, causal(LONG))
    assert result == Scores(
        (scores("lm-eval", seam).scores[0], scores("lm-eval", causal(LONG)).scores[0]),
        "tokenized with a space before the text after the blank",
    )
    assert scores("lighteval", observed).costs == (3 + 4 + 5 + 6,)


def test_llama_cpp_leaves_options_and_last_tokens_out() -> None:
    result = scores("llama.cpp", causal(LONG), causal(OTHER))
    assert result.costs == ((4 + 5 + 6) / 3, (5 + 6 + 7) / 3)
    assert result.scores[0].counted == (3, 4, 5)
    assert result.note == "what follows the option, without the last token"


def test_llama_cpp_adds_the_option_where_few_tokens_follow_those_in_common() -> None:
    result = scores(
        "llama.cpp", causal("Owls hunt [mice] ."), causal("Owls hunt [the big voles] .")
    )
    assert result.costs == (3, (3 + 4 + 5) / 3)
    assert result.note == "what follows the tokens in common, without the last token"


def test_llama_cpp_keeps_an_only_token() -> None:
    assert scores("llama.cpp", causal("So it [is]"), causal("So it [was]")).costs == (3, 3)
    long = causal("[No big owl hunts] ."), causal("[Some big owl hunts] .")
    assert scores("llama.cpp", *long).costs == (5, 5)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ((LONG, OTHER, LONG), "llama.cpp scores only problems with two options"),
        (("Owls hunt", "Owls sleep"), "the problem has no blank"),
        (("So [it was an owl]", "So [one was an owl]"), "no token follows the last blank"),
        (("So [it is]", "So [it is] ."), "option 1: there are no tokens to sum"),
    ],
)
def test_llama_cpp_is_undefined(options: tuple[str, ...], reason: str) -> None:
    assert scored("llama.cpp", *map(causal, options)) == Undefined(reason)


def test_llama_cpp_needs_the_first_token_where_nothing_is_in_common() -> None:
    options = "[Owls] hunt .", "[Bats] hunt ."
    assert scores("llama.cpp", *map(causal, options)).costs == (1.5, 1.5)
    lacking = [causal(option, first_from=FirstToken.UNDEFINED) for option in options]
    assert isinstance(scored("llama.cpp", *lacking), Undefined)


def test_nothing_from_the_blank_on_is_undefined() -> None:
    assert scored("lighteval", causal("It is []")) == Undefined("there are no tokens to sum")

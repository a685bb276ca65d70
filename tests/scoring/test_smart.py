"""Smart scoring is decided once for a problem, and says what it decided."""

from horsesense.models import Family, FirstToken, Observation
from horsesense.scoring import Scores, find_method, score_problem
from tests.scoring.observed import causal


def scored(name: str, *observations: Observation) -> Scores:
    result = score_problem(find_method(name, Family.CAUSAL), observations)
    assert isinstance(result, Scores), result
    return result


def test_partial_unless_too_few_tokens_follow() -> None:
    options = causal("Owls hunt [mice] ."), causal("Owls hunt [many mice] .")
    result = scored("smart@1", *options)
    assert (result.costs, result.note) == (
        (1 + 2 + 3 + 4, 1 + 2 + 3 + 4 + 5),
        "full: 1 token after the last blank; the first token is scored by its frequency",
    )
    result = scored("smart@0", *options)
    assert (result.costs, result.note) == ((4, 5), "partial: 1 token after the last blank")


def test_the_option_followed_by_most_tokens_decides_for_all() -> None:
    one, two = causal("Owls hunt [mice] ."), causal("Owls hunt [mice] ! !")
    assert scored("smart@1", one, two).costs == (4, 4 + 5)
    assert scored("smart@1", two, one).costs == (4 + 5, 4)
    assert scored("smart@2", one, two).costs == (10, 15)


def test_special_tokens_after_the_blank_do_not_count() -> None:
    observed = causal("Owls hunt [mice] .", bos=True, first_from=FirstToken.BOS)
    assert scored("smart@1", observed).note == "full: 1 token after the last blank"


def test_without_a_first_token_all_but_first_takes_the_place_of_full() -> None:
    lacking = causal("Owls hunt [mice] .", first_from=FirstToken.UNDEFINED)
    result = scored("smart@1", lacking, lacking)
    assert result.costs == (9, 9)
    assert result.note.startswith("all-but-first instead of full: 1 token after the last blank")
    assert scored("mean-smart@1", lacking).costs == (3,)


def test_at_limit_zero_nothing_must_follow_the_blank() -> None:
    result = scored("smart@0", causal("They are [owls]"))
    assert result.costs == (6,)
    assert result.note.startswith("full: 0 tokens after the last blank")

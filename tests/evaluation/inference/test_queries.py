import pytest

from horsesense.errors import ModelError, UnreadableError
from horsesense.evaluation.inference import Reader, needed_by, plan_all, plan_option, queries_of
from horsesense.evaluation.inference.queries import CausalPlan, MaskedPlan, SpansPlan
from horsesense.models import (
    Family,
    LabelPart,
    Query,
    Tokenization,
    causal_query,
    multi_mask_query,
    single_mask_query,
    within_word_query,
)
from horsesense.schema import Mode, Problem
from horsesense.scoring import find_method, methods_of
from tests.evaluation.inference.stand_in import BOS, EOS, StandIn, declared, posed

KITE = "the kite <climbed over it, sank> in the {rising, dying} wind"
BIRDS = "<all, not all> {birds, owls} sing"
OWL = "the owl {, never} hoots at night, so that one <hears, misses> it"
ONE_BLANK = posed(KITE)[0]
(TWO_BLANKS, _) = posed("<do, do not> {cats, mice} chase {mice, cats}", Mode.BY_KEY)


def plan(
    model: StandIn, problem: Problem, *names: str, option: int = 0, table: bool = False
) -> CausalPlan | MaskedPlan | SpansPlan:
    family = model.info.family
    methods = [find_method(name, family) for name in names] or methods_of(family)
    return plan_option(Reader(model), problem, option, needed_by(methods, table=table))


def causal(
    problem: Problem, *names: str, bos: bool = False, table: bool = False, option: int = 0
) -> tuple[StandIn, CausalPlan]:
    model = StandIn(declared(before=(BOS,) if bos else (), after=(EOS,)))
    made = plan(model, problem, *names, option=option, table=table)
    assert isinstance(made, CausalPlan)
    return model, made


def masked(problem: Problem, *names: str) -> tuple[StandIn, MaskedPlan]:
    model = StandIn(declared(Family.MASKED))
    made = plan(model, problem, *names)
    assert isinstance(made, MaskedPlan)
    return model, made


def spans(problem: Problem, option: int = 0) -> tuple[StandIn, SpansPlan]:
    model = StandIn(declared(Family.SEQ2SEQ))
    made = plan(model, problem, option=option)
    assert isinstance(made, SpansPlan)
    return model, made


def text(model: StandIn, ids: tuple[int, ...]) -> str:
    return "".join(map(model.token_text, ids))


def texts(model: StandIn, plan: CausalPlan) -> list[str]:
    """What is asked, in words."""
    return [text(model, query.ids) for query in queries_of(plan)]


@pytest.mark.parametrize("bos", [False, True])
def test_a_sentence_is_read_with_what_comes_before_and_not_with_what_comes_after(
    bos: bool,
) -> None:
    model, made = causal(ONE_BLANK, "partial", bos=bos)
    bos_text = "<s>" if bos else ""
    assert texts(model, made) == [f"{bos_text}The kite climbed over it in the rising wind."]
    assert made.tokens.tokenization.ids[-1] == EOS


def test_a_sentence_is_asked_once_whatever_is_guessed() -> None:
    by_answer, by_key = (
        {text(*asked) for problem in posed(KITE, mode) for asked in _asked(problem)}
        for mode in (Mode.BY_ANSWER, Mode.BY_KEY)
    )
    assert by_answer == by_key and len(by_answer) == 4


def _asked(problem: Problem) -> list[tuple[StandIn, tuple[int, ...]]]:
    made = [causal(problem, "full", option=option) for option in (0, 1)]
    return [(model, query.ids) for model, plan in made for query in queries_of(plan)]


def test_a_phrase_alone_is_read_in_its_tokens_of_the_sentence() -> None:
    model, made = causal(ONE_BLANK, "normalized-full", bos=True)
    assert texts(model, made)[1:] == ["<s> climbed over it"]


def test_each_of_two_phrases_is_read_alone() -> None:
    model, made = causal(TWO_BLANKS, "normalized-full", bos=True)
    assert texts(model, made)[1:] == ["<s> cats", "<s> mice"]


def test_one_token_alone_needs_no_query_without_bos() -> None:
    model, made = causal(TWO_BLANKS, "normalized-full", table=True)
    assert (made.phrases, made.alone) == (
        tuple((model._id(w),) for w in (" cats", " mice")),
        (None, None),
    )
    assert len(texts(model, made)) == 1


def test_phrases_alone_are_not_asked_where_their_first_token_has_no_probability() -> None:
    model, made = causal(ONE_BLANK, "normalized-full")
    assert made.phrases is None and len(texts(model, made)) == 1


def test_phrases_alone_are_not_asked_where_no_method_wants_them() -> None:
    model, made = causal(ONE_BLANK, "full", "partial", "loss", "smart@1", bos=True)
    assert len(texts(model, made)) == 1


@pytest.mark.parametrize("name", ["compat:lm-eval", "compat:lighteval"])
def test_a_seam_is_read_only_where_it_differs(name: str) -> None:
    (problem, _) = posed("the {red, blue} lamp <shone, smoked>")
    model, made = causal(problem, name)
    assert texts(model, made) == ["The red lamp shone.", "The red lamp shone ."]
    assert causal(ONE_BLANK, name)[1].seam is None
    assert causal(problem, "partial")[1].seam is None


def test_a_minimal_pair_has_neither_seam_nor_phrases() -> None:
    (pair,) = posed("<The owls hoot.*, The owls hoots.>")
    assert pair.blanks == 0
    _, made = causal(pair, bos=True)
    assert len(list(queries_of(made))) == 1


def test_all_tokens_are_masked_for_the_statement() -> None:
    _, made = masked(ONE_BLANK, "statement", "answer")
    reading = made.tokens.tokenization
    assert list(queries_of(made)) == [single_mask_query(reading.ids, reading.real)]


def test_the_blank_alone_is_masked_for_the_answer() -> None:
    _, made = masked(ONE_BLANK, "answer", "mean-answer")
    assert list(queries_of(made)) == [single_mask_query(made.tokens.tokenization.ids, (3, 4, 5))]


def test_both_blanks_are_masked_at_once() -> None:
    _, made = masked(TWO_BLANKS, "multi-mask", "abdou", "zero-shot")
    assert list(queries_of(made)) == [multi_mask_query(made.tokens.tokenization.ids, (2, 4))]


def test_words_are_masked_from_left_to_right() -> None:
    _, made = masked(ONE_BLANK, "within-word")
    reading = made.tokens.tokenization
    assert list(queries_of(made)) == [within_word_query(reading.ids, reading.words)]


def test_an_empty_blank_has_nothing_to_mask() -> None:
    problem = posed(OWL, Mode.BY_KEY)[0]
    _, made = masked(problem, "answer", "multi-mask")
    assert list(queries_of(made)) == []


def test_a_sentinel_stands_for_the_blank_without_a_space_before_it() -> None:
    model, made = spans(ONE_BLANK)
    assert made.plain and made.prefixed
    assert text(model, made.plain.ids) == "The kite<x0> in the rising wind.</s>"
    assert text(model, made.prefixed.ids) == "wsc: The kite<x0> in the rising wind.</s>"
    assert text(model, made.plain.label) == "<x0> climbed over it<x1></s>"
    assert made.plain.label == made.prefixed.label


def test_two_blanks_have_a_sentinel_each() -> None:
    model, made = spans(TWO_BLANKS, option=1)
    assert made.plain
    assert text(model, made.plain.ids) == "Do<x0> chase<x1>.</s>"
    assert text(model, made.plain.label) == "<x0> mice<x1> cats<x2></s>"
    sentinel, phrase = LabelPart.SENTINEL, LabelPart.PHRASE
    assert made.parts == (sentinel, phrase, sentinel, phrase, sentinel, LabelPart.EOS)


def test_options_of_a_problem_have_the_same_source() -> None:
    sources = {text(model, made.plain.ids) for model, made in _both() if made.plain}
    assert sources == {"The kite<x0> in the rising wind.</s>"}


def _both() -> list[tuple[StandIn, SpansPlan]]:
    return [spans(ONE_BLANK, option) for option in (0, 1)]


def test_a_blank_that_comes_first_has_no_space_before_it_even_after_the_prefix() -> None:
    model, made = spans(posed(BIRDS)[0])
    assert made.prefixed and text(model, made.prefixed.ids) == "wsc:<x0> birds sing.</s>"


def test_an_empty_phrase_leaves_no_space_between_sentinels() -> None:
    model, made = spans(posed(OWL, Mode.BY_KEY)[0])
    assert made.plain and text(model, made.plain.label) == "<x0><x1></s>"


def test_there_is_no_label_without_a_blank() -> None:
    (pair,) = posed("<The owls hoot.*, The owls hoots.>")
    assert spans(pair)[1] == SpansPlan()


def test_a_model_with_too_few_sentinels_is_refused() -> None:
    model = StandIn(declared(Family.SEQ2SEQ, sentinels=(4, 5)))
    with pytest.raises(ModelError, match="has 2 sentinels, but 3 are needed"):
        plan(model, TWO_BLANKS)


def test_a_tokenizer_that_tears_sentinels_is_refused() -> None:
    model = StandIn(declared(Family.SEQ2SEQ))
    model.vocabulary[4] = "<sentinel zero>"
    with pytest.raises(ModelError, match="splits a sentinel of"):
        plan(model, ONE_BLANK)


@pytest.mark.parametrize("family", [Family.CAUSAL, Family.MASKED, Family.SEQ2SEQ])
def test_a_sentence_that_is_too_long_is_refused_by_its_length_and_the_limit(
    family: Family,
) -> None:
    model = StandIn(declared(family, context=6))
    with pytest.raises(ModelError, match=r"reads at most 6 tokens, but 'The kite.* has \d+"):
        plan(model, ONE_BLANK)


def test_a_long_sentence_is_quoted_in_part() -> None:
    model = StandIn(declared(context=6))
    (problem, _) = posed("the {red, blue} lamp <shone, smoked> " + "and shone " * 20)
    with pytest.raises(ModelError, match="and sh.*…' has 45; shorten"):
        plan(model, problem)


def test_a_character_without_a_token_is_named() -> None:
    problem = posed("the ☃ <melted, froze> in the {sun, wind}")[0]
    with pytest.raises(ModelError, match="no token for '☃' in 'The ☃ melted"):
        plan(StandIn(), problem)


def test_a_text_is_read_but_once(monkeypatch: pytest.MonkeyPatch) -> None:
    model, read = StandIn(), list[str]()
    reading = model.tokenize("Owls hoot.")
    monkeypatch.setattr(model, "tokenize", lambda text: read.append(text) or reading)  # type: ignore[func-returns-value]
    reader = Reader(model)
    assert reader.tokenize("Owls hoot.") is reader.tokenize("Owls hoot.")
    assert read == ["Owls hoot."]


def test_different_texts_of_the_same_tokens_are_one_query() -> None:
    model = StandIn()
    one = model.tokenize("Owls hoot.")
    other = Tokenization("Owls  hoot.", one.tokens)
    asked: set[Query] = {causal_query(one.ids), causal_query(other.ids)}
    assert len(asked) == 1


def test_what_cannot_be_read_cannot_be_read_the_second_time_either() -> None:
    reader = Reader(StandIn(declared(context=3)))
    for _ in range(2):
        with pytest.raises(UnreadableError, match="reads at most 3 tokens"):
            reader.tokenize("Owls hoot in the wood.")


def test_a_problem_that_cannot_be_read_is_an_error_or_left_out() -> None:
    snow = posed("the ☃ <melted, froze> in the {sun, wind}")[:1]
    others = posed("the kite <rose, sank> in the {rising, dying} wind")
    wanted = needed_by(methods_of(Family.CAUSAL))
    problems, model = [*snow, *others], StandIn()
    with pytest.raises(UnreadableError, match="in 'The ☃ melted.*\n  use --keep-going to leave"):
        plan_all(Reader(model), problems, wanted)
    first, *rest = plan_all(Reader(model), problems, wanted, keep_going=True)
    assert not first.plans and first.unread.startswith("stand-in has no token for '☃' in 'The ☃")
    assert rest == plan_all(Reader(model), others, wanted)
    with pytest.raises(UnreadableError, match="or choose a model that has one$"):
        plan_all(Reader(model), snow, wanted, keep_going=True)

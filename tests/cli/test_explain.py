from __future__ import annotations

import pytest
from rich.cells import cell_len

from horsesense.cli.explain import draw, render
from horsesense.evaluation.inference import (
    Coverage,
    Explanation,
    ObservedProblem,
    explain,
    score,
    score_observed,
)
from horsesense.evaluation.inference.explanation import line_up
from horsesense.models import (
    CausalObservation,
    Family,
    Label,
    LabelPart,
    MaskedObservation,
    Observation,
    SpansObservation,
    TokenSpans,
    align,
)
from horsesense.schema import Mode, Problem, problems
from horsesense.schema.notation import parse_grid
from horsesense.scoring import Method, Score, Scores, find_method, methods_of, outcome_of
from tests.evaluation.inference.word_model import WordModel

KETTLE = "a kettle <can, can never> boil on a {hot, cold} stove"
OWLS = "{barn owls, mice} <do, do not> hunt {mice, barn owls}"
KNOWN = ("A kettle can boil on a hot stove.", "A kettle can never fly.")
SENTINEL, PHRASE, EOS = LabelPart.SENTINEL, LabelPart.PHRASE, LabelPart.EOS


def posed(notation: str, mode: Mode = Mode.BY_ANSWER) -> Problem:
    """The first problem of a schema."""
    return problems(parse_grid(notation), mode)[0]


def asked(problem: Problem, *names: str, model: WordModel | None = None) -> Explanation:
    """What a model makes of it, by default one that knows a little of kettles."""
    model = model or WordModel(KNOWN)
    methods = [find_method(name, Family.CAUSAL) for name in names]
    (one,) = score(model, [problem], methods or methods_of(Family.CAUSAL))
    return explain(one, model.token_text)


def observed(problem: Problem, family: Family, *said: Observation) -> Explanation:
    """What the methods of a family make of observations by hand."""
    return explain(
        score_observed(ObservedProblem(problem, said), methods_of(family)),
        lambda token: f"<{token}>",
    )


def words(problem: Problem, option: int) -> TokenSpans:
    """An option in words, between special tokens."""
    sentence = problem.sentences[option]
    return align(WordModel(bos=True).tokenize(sentence.text), sentence.spans_of(problem.mode.axis))


def drawn(explained: Explanation, width: int = 80) -> list[str]:
    """The lines as plain text, empty ones left out."""
    plain = render(draw(explained, "1", width), width, colour=False)
    return [line for line in plain.splitlines() if line]


def test_tokens_stand_above_their_costs_and_below_the_names_of_their_parts() -> None:
    shown = drawn(asked(posed(KETTLE), "partial"))
    assert shown[0].startswith("── 1  A kettle ___ boil on a hot stove. ──")
    assert shown[1:7] == [
        "              prefix ──  blank ───────  suffix ─────────────────────────────",
        "✓ can         A  kettle  [can]           boil    on     a   hot  stove     .",
        "              –    1.00   1.00           1.00  1.00  1.00  1.00   1.00  1.00",
        "  can never   A  kettle   [can  never]   boil    on     a   hot  stove     .",
        "              –    1.00   1.00    1.00   5.00  1.00  1.00  1.00   1.00  1.00",
        "  difference          0          +1.00  +4.00     0     0     0      0     0",
    ]


def test_every_method_shows_what_it_adds_up_and_what_that_comes_to() -> None:
    shown = drawn(asked(posed(KETTLE), "full", "loss", "partial", "compat:llama.cpp"))
    assert shown[7:11] == [
        "method            adds up        ÷    can  can never  margin  prefers",
        "loss              ·█████████  8, 9  1.000      1.444  +0.444  ✓ can",
        "partial           ····██████        6.000     10.000  +4.000  ✓ can",
        "compat:llama.cpp  ····█████·     5  1.000      1.800  +0.800  ✓ can",
    ]


def test_what_is_to_be_noted_stands_below() -> None:
    shown = drawn(asked(posed(KETTLE), "full", "smart@1"), width=160)
    assert shown[-4:] == [
        "• unequal answer lengths in tokens: can 1, can never 2",
        "• 6 tokens after the blank",
        "• smart@1: partial: 6 tokens after the last blank",
        "• full: undefined: the model has no BOS, and without a token-frequency table"
        " its first token has no probability",
    ]


def test_the_cost_of_a_phrase_alone_is_told() -> None:
    model = WordModel(KNOWN, bos=True)
    shown = drawn(asked(posed(KETTLE), "normalized-full", "mean-normalized-full", model=model), 100)
    told = "minus the phrase's own cost (can 5.00, can never 6.00)"
    assert shown[-1] == f"• normalized-full, mean-normalized-full: {told}"


def test_a_tie_is_undecided_and_says_so() -> None:
    model = WordModel(["fear owls", "hunt owls"])
    shown = drawn(asked(posed("mice <fear, hunt> {owls, seeds}"), "partial", model=model))
    assert "partial  ··██       6.000  6.000   0.000  = undecided" in shown
    assert "• partial: a tie, undecided" in shown


def test_why_smart_scoring_did_not_take_full_is_told() -> None:
    shown = drawn(asked(posed("a kettle can {boil, fly} <tea, air>"), "smart@1"), width=200)
    told = next(line for line in shown if line.startswith("• smart@1"))
    assert told.startswith("• smart@1: all-but-first instead of full: 1 token after the last blank")


def test_a_token_without_a_cost_is_explained_where_no_method_does_it() -> None:
    assert any(
        "the first token has no cost" in line for line in drawn(asked(posed(KETTLE), "loss"))
    )


def test_a_token_across_the_edge_of_a_blank_is_marked_and_reported() -> None:
    problem = posed("the <owl*, mouse>'s nest was dry")
    model = WordModel(["The nest was dry."])
    model.pattern = r"\w+'s|\w+|[^\w\s]"
    explained = asked(problem, "partial", model=model)
    shown = drawn(explained, 100)
    assert "owl's/" in shown[2] and "[" not in shown[2]
    remark = 'owl: the token "owl\'s" crosses the edge of a blank, and counts as suffix'
    assert remark in explained.remarks


def test_two_blanks_are_lined_up_each_by_itself() -> None:
    model = WordModel(["Barn owls hunt mice.", "they do not"])
    shown = drawn(asked(posed(OWLS, Mode.BY_KEY), "partial", model=model))
    assert shown[1:7] == [
        "                    blank ───────  between ──  blank ───────  suffix",
        "✓ Barn owls … mice   [Barn  owls]    do  hunt  [mice]              .",
        "                         –   1.00  5.00  5.00    1.00           1.00",
        "  Mice … barn owls  [Mice]           do  hunt   [barn  owls]       .",
        "                         –         5.00  5.00    5.00   5.00    5.00",
        "  difference                −1.00     0     0          +9.00   +4.00",
    ]


def test_without_a_blank_there_is_nothing_but_the_sentence() -> None:
    model = WordModel(["Owls hunt."], bos=True)
    shown = drawn(asked(posed("<Owls hunt.*, Hunt owls.>"), "full", "partial", model=model))
    assert shown[1:4] == [
        "                   sentence ────────",
        "✓ Owls hunt.  <s>  Owls  hunt      .",
        "                   5.00  1.00   1.00",
    ]
    assert shown[-1] == "• partial: undefined: the problem has no blank"


def test_three_options_have_no_difference() -> None:
    shown = drawn(asked(posed("a kettle can <boil*, sing, fly> here"), "all-but-first"))
    assert not any(line.startswith("  difference") for line in shown)
    assert "all-but-first  ·█████     13.000  17.000  17.000  +4.000  ✓ boil" in shown


def test_masked_costs_have_a_row_for_each_way_of_masking() -> None:
    problem = posed("mice <fear, do fear> {owls, seeds}")
    said = [
        MaskedObservation(words(problem, 0), _none(-1, -2, -3, -4), _none(-1, -2, -3, -4),
                          (None, None, -2.5, None, None)),
        MaskedObservation(words(problem, 1), _none(-1, -2, -3, -4, -5), _none(-1, -2, -3, -4, -5),
                          (None, None, -6, -7, None, None)),
    ]  # fmt: skip
    shown = drawn(observed(problem, Family.MASKED, *said))
    assert shown[1:10] == [
        "                    prefix  blank ────────  suffix ─────",
        "✓ fear         <0>    Mice  [fear]           owls      .",
        "  single-mask         1.00    2.00           3.00   4.00",
        "  multi-mask                  2.50",
        "  do fear      <0>    Mice     [do   fear]   owls      .",
        "  single-mask         1.00    2.00    3.00   4.00   5.00",
        "  multi-mask                  6.00    7.00",
        "Δ single-mask            0           +3.00  +1.00  +1.00",
        "Δ multi-mask                        +10.50",
    ]
    assert not any("alone" in line for line in shown)


def test_a_label_is_shown_with_its_sentinels_without_and_with_prefix() -> None:
    problem = posed("mice <fear, do fear> {owls, seeds}")
    parts = (SENTINEL, PHRASE, SENTINEL, EOS)
    fear = Label((9,), (0, 1, 2, 3), parts, (-1.0, -2.0, -3.0, -4.0))
    longer = Label((9,), (0, 5, 1, 2, 3), (SENTINEL, PHRASE, PHRASE, SENTINEL, EOS), (-1.0,) * 5)
    said = [SpansObservation(fear, fear), SpansObservation(longer, longer)]
    shown = drawn(observed(problem, Family.SEQ2SEQ, *said))
    assert shown[1:6] == [
        "               sentinel  phrase ────  sentinel",
        "✓ fear              <0>  [<1>]             <2>    <3>",
        "                   1.00   2.00            3.00   4.00",
        "  with prefix      1.00   2.00            3.00   4.00",
        "  do fear           <0>   [<5>  <1>]       <2>    <3>",
    ]
    assert "basic               █████          10.000    5.000  −5.000  ✗ do fear" in shown
    assert "mean                ████·    3, 4   2.000    1.000  −1.000  ✗ do fear" in shown


@pytest.mark.parametrize("width", [72, 80, 120])
def test_no_line_is_wider_than_asked(width: int) -> None:
    long = "the gardener who waters all the roses every evening <can, can never> boil a {pea, car}"
    shown = drawn(asked(posed(long)), width)
    assert max(map(cell_len, shown)) <= width


def test_what_all_options_have_in_common_is_shown_once_where_there_are_several_blocks() -> None:
    long = "the gardener who waters all the roses every evening <can, can never> boil a {pea, car}"
    shown = drawn(asked(posed(long)), 60)
    assert sum(line.startswith("  all options") for line in shown) == 1
    assert sum(line.startswith("✓ can") for line in shown) == 2


def test_a_bar_that_is_too_long_keeps_what_methods_tell_apart() -> None:
    long = "the gardener who waters all the roses every evening <can, can never> boil a {pea, car}"
    shown = drawn(asked(posed(long), "all-but-first", "partial"), 60)
    assert [line.split()[1] for line in shown if line.startswith(("all-but", "partial"))] == [
        "·██████",
        "·····██",
    ]


def test_colours_tell_the_parts_apart() -> None:
    explained = asked(posed(KETTLE), "partial")
    coloured = render(draw(explained, "1", 80), 80, colour=True)
    assert "\x1b[36mkettle" in coloured  # prefix
    assert "\x1b[1;35m[can]" in coloured  # blank
    assert "\x1b[94mstove" in coloured  # suffix
    assert "\x1b[" not in "".join(drawn(explained))


def test_a_column_that_counts_for_one_option_alone_is_marked_so() -> None:
    problem = posed("mice <fear, hunt> {owls, seeds}")
    said = tuple(CausalObservation(words(problem, at), (None, *[-1.0] * 4)) for at in (0, 1))
    scores = Scores((Score(2.0, (2, 3)), Score(1.0, (3,))))
    odd = Method("odd", Family.CAUSAL, "odd", "what it likes", lambda seen: scores)
    one = ObservedProblem(problem, said, methods=(odd,), outcomes={"odd": outcome_of(scores, 0)})
    explained = explain(one, str)
    assert explained.sums[0].coverage[1:] == (
        Coverage.NONE,
        Coverage.SOME,
        Coverage.ALL,
        Coverage.NONE,
    )
    assert any("··▒█·" in line for line in drawn(explained))


def test_pieces_of_a_word_and_of_a_character_are_told_from_words() -> None:
    text = "An über café."
    model = WordModel()
    model.pattern = r"über|ca|fé|\w+|[^\w\s]"
    read = model.tokenize(text)
    doubled = align(type(read)(text, (*read.tokens[:2], read.tokens[1], *read.tokens[2:])), ())
    grid = line_up([CausalObservation(doubled, (None,) * 6)], lambda token: f"<{token}>")
    spelt = grid.options[0].texts
    assert spelt[:2] == ("An", "über") and spelt[2].startswith("<")
    assert spelt[3:] == ("ca", "+fé", ".")


def _none(*values: float) -> tuple[float | None, ...]:
    """The values after a special token."""
    return (None, *values)


def test_tokens_that_a_method_does_not_count_are_dim() -> None:
    explained = asked(posed(KETTLE), "partial")
    lines = list(draw(explained, "1", 100, before=["It prefers can."], method="partial"))
    plain = [line.plain for line in lines]
    assert plain.index("It prefers can.") < plain.index("dim: partial does not count these tokens")
    shown = render(lines, 100, colour=True)
    # Escapes: dim is 2, and the blue of what follows the blank 94.
    assert "\x1b[2mkettle" in shown and "\x1b[94mboil" in shown
    assert "\x1b[2mkettle" not in render(draw(explained, "1", 100), 100, colour=True)


def test_nothing_is_dim_if_a_method_counts_every_token() -> None:
    explained = asked(posed(KETTLE), "all-but-first")
    lines = [line.plain for line in draw(explained, "1", 100, method="unknown")]
    assert not any(line.startswith("dim:") for line in lines)

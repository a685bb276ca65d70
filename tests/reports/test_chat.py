"""What reports say of chat models: choices in both orders, replies without answer, and the cost."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from horsesense.reports import (
    Report,
    ReportTable,
    Section,
    build_report,
    latex,
    markdown,
    text,
    text_summary,
)
from horsesense.reports.deciding import deciding_sentence, reason_in_words
from horsesense.reports.finding import Behaviour, find
from horsesense.reports.page import page
from horsesense.reports.twins import telling_twins
from horsesense.reports.verdict import verdict
from horsesense.reports.wording import methods_in_order
from horsesense.results import ModelSubject, Results, select_model
from horsesense.scoring.outcome import AnswerSet
from tests.reports.chat_profile import (
    ANT,
    BEE,
    CHAT_ANT,
    CHAT_CAT,
    SHED,
    answer,
    answer_set,
    chat_profile,
    dataset,
)
from tests.reports.small_profile import small_profile


def section(report: Report, name: str = "chat") -> Section:
    return next(each for each in report.sections if each.name == name)


def chat_section(results: Results | None = None) -> Section:
    return section(build_report(results or chat_profile()))


def table(name: str, results: Results | None = None) -> ReportTable:
    report = build_report(results or chat_profile())
    return next(each for each in report.tables if each.name == name)


def row(written: ReportTable, *start: str) -> dict[str, str]:
    """The row of a table that starts with these cells, by heading; intervals are left out."""
    above: tuple[str, ...] = ()
    for cells in written.groups[0].rows:
        filled = tuple(cell or other for cell, other in zip(cells, above or cells, strict=True))
        above = filled
        if filled[: len(start)] == start:
            headings = [column.heading for column in written.columns]
            pairs = zip(headings, filled, strict=True)
            return {heading: cell for heading, cell in pairs if heading != "95 %"}
    raise AssertionError(f"no row {start}")


def changed(**fields: Any) -> Results:
    return replace(chat_profile(), **fields)


def model(name: str) -> ModelSubject:
    return next(each for each in chat_profile().models if each.name == name)


def with_answers(method: str, *pattern: str) -> Results:
    """The profile with other answers of the asked model by one method; the numbers stay."""
    profile = chat_profile()
    key = profile.standard(model(CHAT_ANT), SHED).replace(method=method)
    return changed(answer_sets={**profile.answer_sets, key: answer_set(pattern)})


def test_without_chat_models_there_is_no_section_about_them() -> None:
    names = [each.name for each in build_report(small_profile()).sections]
    assert "chat" not in names and "usage" not in names
    only = build_report(select_model(chat_profile(), ANT))
    assert "chat" not in [each.name for each in only.sections]


def test_the_finding_is_said_in_words() -> None:
    ordered, unanswered, known = chat_section().paragraphs
    assert ordered == (
        "Asked in both orders with the protocol letter, chat:ant makes the same choice in 30 %"
        " (95 % CI 19 to 44 %) of the 80 problems of shed. In 70 %, its choice stays at its place"
        " when the options change places: it chooses whatever stands first in 85 % of the"
        " questions."
    )
    assert unanswered.endswith("In 88 %, a reply has no answer.")
    assert known == (
        "By its log-probabilities (smart@1), ant solves 75 % of the schemas of shed; asked"
        " (letter), it solves 20 %: −55 points compared with its log-probabilities (95 % CI −72 to"
        " −35). It knows more than it says."
    )


@pytest.mark.parametrize(
    ("chose_first", "said"),
    [
        (32, ": it chooses whatever stands last in 80 % of the questions."),
        (80, "when the options change places."),
    ],
)
def test_the_place_that_is_chosen_is_named_unless_both_are_chosen_alike(
    chose_first: int, said: str
) -> None:
    counts = tuple(replace(each, chose_first=chose_first) for each in chat_profile().replies)
    assert chat_section(changed(replies=counts)).paragraphs[0].endswith(said)


def test_without_counts_of_replies_the_place_is_unknown() -> None:
    results = changed(replies=(), usage=())
    assert chat_section(results).paragraphs[0].endswith("when the options change places.")
    assert row(table("order-shed", results), CHAT_ANT, "letter")["First Chosen"] == "–"
    names = [each.name for each in build_report(results).tables]
    assert "replies" not in names and "usage" not in names


def test_the_shares_of_both_orders_are_those_of_the_answers() -> None:
    order = table("order-shed")
    assert row(order, CHAT_ANT, "letter") == {
        "Model": CHAT_ANT,
        "Protocol": "letter",
        "Same Choice": ".300",
        "Follows Order": ".700",
        "No Answer": ".000",
        "First Chosen": ".850",
        "Problems": "80",
    }
    word = row(order, CHAT_ANT, "word")
    assert (word["Same Choice"], word["No Answer"]) == (".600", ".400")
    judge = row(order, CHAT_ANT, "judge")
    # Both orders agree, although all sentences may be sensible, or none.
    assert judge["Same Choice"] == "1.000"
    assert row(order, CHAT_CAT, "word")["First Chosen"] == "–"


def test_replies_are_counted_by_how_they_were_read() -> None:
    word = row(table("replies"), CHAT_ANT, SHED, "word")
    assert [word[name] for name in ("Requests", "Refused", "Unparsable", "Truncated")] == [
        "160", "8", "16", "8",
    ]  # fmt: skip
    letter = row(table("replies"), CHAT_ANT, SHED, "letter")
    assert (letter["With Probabilities"], letter["Written Differs"]) == ("160", "9")


def test_problems_without_answer_count_in_three_ways() -> None:
    rules = table("without-answer-shed")
    problems, schemas = (row(rules, CHAT_ANT, "word", symbol) for symbol in "aA")
    # Of five schemas: SS, RS, SF, UU, ST.
    assert (problems["As Failed"], problems["As Half"], problems["Left Out"]) == (
        ".500", ".700", ".833",
    )  # fmt: skip
    assert (schemas["As Failed"], schemas["As Half"], schemas["Left Out"]) == (
        ".200", ".450", ".500",
    )  # fmt: skip
    assert (problems["No Answer"], problems["n"], schemas["n"]) == ("32", "48", "16")
    none_left = row(rules, CHAT_CAT, "word", "A")
    assert (none_left["Left Out"], none_left["n"]) == ("–", "0")
    assert "letter" not in [cells[1] for group in rules.groups for cells in group.rows]
    assert "problems that are undecided for another reason count as failed" in rules.notes


def test_problems_that_are_undecided_for_another_reason_count_as_the_plan_says() -> None:
    results = replace(
        chat_profile("half"), answer_sets=with_answers("word", "OR", "SO").answer_sets
    )
    rules = table("without-answer-shed", results)
    problems = row(rules, CHAT_ANT, "word", "a")
    assert (problems["As Failed"], problems["As Half"], problems["Left Out"]) == (
        ".500", ".625", ".667",
    )  # fmt: skip
    assert "problems that are undecided for another reason count as half solved" in rules.notes


def test_without_faulty_replies_nothing_is_counted_in_three_ways() -> None:
    results = chat_profile()
    sets = {key: each for key, each in results.answer_sets.items() if key.method != "word"}
    names = [each.name for each in build_report(changed(answer_sets=sets)).tables]
    assert "without-answer-shed" not in names and "order-shed" in names
    assert len(chat_section(changed(answer_sets=sets)).paragraphs) == 2


def test_without_answers_nothing_is_said_of_the_order() -> None:
    results = chat_profile()
    sets = {key: AnswerSet(each.name, (), ()) for key, each in results.answer_sets.items()}
    made = chat_section(changed(answer_sets=sets))
    assert [each.name for each in made.tables] == ["replies"] and len(made.paragraphs) == 1


def test_replies_and_log_probabilities_of_a_model_stand_side_by_side() -> None:
    known = table("says-and-knows-shed")
    word = row(known, CHAT_ANT, "word", "A")
    assert (word["Says"], word["Knows"], word["Says – Knows"]) == (".200", ".750", "−.550")
    assert {cells[0] for cells in known.groups[0].rows} == {CHAT_ANT, ""}


UNCLEAR = "Whether it knows more than it says is not clear."


@pytest.mark.parametrize(
    ("low", "high", "least", "said"),
    [
        (-0.3, -0.1, 0.3, "It knows more than it says."),
        (-0.3, -0.1, 0.2, "so this does not show that it knows more than it says."),
        (0.1, 0.3, 0.3, "It says more than its log-probabilities show."),
        (0.1, 0.3, 0.2, UNCLEAR),
        (-0.1, 0.1, 0.3, UNCLEAR),
        (None, None, 0.3, "too few schemas to tell whether it knows more than it says."),
    ],
)
def test_what_it_knows_is_compared_by_the_interval_of_the_difference(
    low: float | None, high: float | None, least: float, said: str
) -> None:
    """`least` is the lower end of the intervals of accuracies: above chance or not."""
    estimates = tuple(
        replace(each, low=low, high=high) if each.kind == "difference" else replace(each, low=least)
        for each in chat_profile().estimates
    )
    # The difference is stored with the chat model as the later one, and so not turned.
    assert chat_section(changed(estimates=estimates)).paragraphs[-1].endswith(said)


def test_without_a_comparison_nothing_is_said_of_what_it_knows() -> None:
    estimates = tuple(each for each in chat_profile().estimates if each.kind == "value")
    assert len(chat_section(changed(estimates=estimates)).paragraphs) == 2


def test_requests_tokens_and_cost_are_told_of_every_model_that_has_any() -> None:
    used = table("usage")
    ant, cat, bee = used.groups[0].rows
    assert ant == (CHAT_ANT, "640", "48,000", "2,560", "–", "345", "12,000", "900", "1.50")
    assert cat == (CHAT_CAT, "160", "12,000", "640", "–", "–", "–", "–", "–")
    assert bee == (BEE, "–", "–", "–", "–", "160", "2,500", "0", "–")


def test_the_cost_of_all_replies_counts_stored_ones_but_only_of_servers() -> None:
    profile = chat_profile()
    plan = replace(profile.record.plan, price_input=50.0, price_output=100.0)
    priced = changed(record=replace(profile.record, plan=plan))
    used = table("usage", priced)
    # 48,000 tokens at 50 a million, and 2,560 at 100; what was sent has its own cost.
    assert row(used, CHAT_ANT)["Cost of All"] == "2.66"
    assert row(used, CHAT_ANT)["Cost of Sent"] == "1.50"
    assert row(used, CHAT_CAT)["Cost of All"] == "–"
    nothing_sent = table("usage", replace(priced, usage=()))
    assert row(nothing_sent, CHAT_ANT)["Cost of All"] == "2.66"
    assert row(nothing_sent, CHAT_ANT)["Cost of Sent"] == "–"


def test_the_setup_says_whose_weights_are_unknown() -> None:
    models = table("models")
    assert row(models, CHAT_ANT)["Server"] == "vllm 0.32.0"
    assert (
        "chat:ant and llama.cpp:bee: behind a server, so their weights could not be hashed; which"
        " weights answered is the server’s word alone"
    ) in models.notes
    alone = table("models", select_model(chat_profile(), BEE))
    assert any("so its weights could not" in note for note in alone.notes)
    assert "Server" not in [column.heading for column in table("models", small_profile()).columns]


def test_many_undecided_problems_are_explained_in_the_headline() -> None:
    said = build_report(chat_profile()).summary.headline
    assert (
        "chat:ant follows the order of the options, not their content, in 70 % of the 80 problems"
        " of shed: too many undecided problems to tell."
    ) in said
    assert "chat:cat gives no readable answer to 88 % of the 80 problems of shed:" in said


@pytest.mark.parametrize(
    ("pattern", "behaviour", "share"),
    [
        (("OO", "RR"), Behaviour.BY_ORDER, 0.5),
        (("RO", "UU"), Behaviour.NO_ANSWER, 0.75),
        (("OR", "AA", "AA"), Behaviour.UNDECIDED, 0.7),
    ],
)
def test_the_reason_of_at_least_half_of_the_undecided_problems_is_the_behaviour(
    pattern: tuple[str, ...], behaviour: Behaviour, share: float
) -> None:
    finding = find(with_answers("letter", *pattern), model(CHAT_ANT), dataset())
    assert (finding.behaviour, finding.undecided) == (behaviour, share)


def test_a_finding_without_choices_has_no_telling_twins() -> None:
    finding = find(chat_profile(), model(CHAT_ANT), dataset())
    assert telling_twins(chat_profile(), finding) is None


def test_evidence_counts_undecided_problems_by_reason() -> None:
    results = with_answers("letter", "OO", "OR", "AR", "SS")
    evidence = verdict(results, model(CHAT_ANT), dataset()).evidence[0].sentence
    assert (
        "are undecided (in 30, the choice follows the order of the options; in 20, a reply has no"
        " answer; in 10, not exactly one sentence is judged sensible) and count as failed"
    ) in evidence


def test_the_page_says_why_a_problem_is_undecided() -> None:
    written = page(build_report(chat_profile()))
    assert "It prefers neither option: the choice follows the order of the options" in written
    refused = answer(0, 1, "R")
    both = replace(refused, tags=refused.tags | {"truncated"})
    assert reason_in_words(both) == "a reply is refused and one is truncated"
    said = deciding_sentence(refused.outcome, ("a", "b"), reason=reason_in_words(refused))
    assert said == "It prefers neither option: a reply is refused."


def test_every_writer_shows_the_section() -> None:
    report = build_report(chat_profile())
    for written in (text(report, all_tables=True), markdown(report), latex(report), page(report)):
        assert "What it says" in written and "Requests and cost" in written
        assert "Choices on shed when the options change places" in written
    assert max(map(len, text_summary(report).splitlines())) <= 80


def test_protocols_are_in_one_order_with_their_variations_after_them() -> None:
    methods = ("own.toml", "judge", "letter@4+reasoning", "letter@4", "letter", "word")
    ordered = methods_in_order(replace(model(CHAT_ANT), methods=methods))
    assert ordered == ("letter", "letter@4+reasoning", "letter@4", "word", "judge", "own.toml")


def test_the_page_lists_servers_and_calls_schemas_with_undecided_problems_neither_right() -> None:
    written, plain = (page(build_report(each)) for each in (chat_profile(), small_profile()))
    assert "vllm 0.32.0" in written and '<th class="left">server</th>' in written
    assert '<th class="left">server</th>' not in plain
    card = written.partition("chat:ant</bdi> on <bdi>shed")[2]
    assert "neither right" in card.partition("</article>")[0]


def test_a_dataset_that_was_not_asked_about_has_no_tables() -> None:
    results = changed(datasets=(dataset(), replace(dataset(), name="attic")))
    names = [each.name for each in chat_section(results).tables]
    assert "order-shed" in names and not any("attic" in name for name in names)

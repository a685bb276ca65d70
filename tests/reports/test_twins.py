"""The pair of twins that a report shows is the shortest that shows the finding."""

from __future__ import annotations

from dataclasses import replace

from horsesense.reports.finding import Behaviour, ModelFinding, find
from horsesense.reports.twins import Twin, telling_twins
from horsesense.results import ORIGINAL, ResultKey, Results
from horsesense.scoring.outcome import Verdict
from tests.reports.small_profile import ANT, BEE, small_profile


def finding_of(results: Results, model: str, behaviour: Behaviour) -> ModelFinding:
    subject = next(each for each in results.models if each.name == model)
    return replace(find(results, subject, results.datasets[0]), behaviour=behaviour)


def lengths(results: Results, finding: ModelFinding, verdicts: list[Verdict]) -> list[int]:
    """The lengths of all schemas with these verdicts, by a plain loop."""
    answer_set = results.answer_sets[
        ResultKey(finding.model, finding.dataset, method=finding.method)
    ]
    statements = {
        (row.entry, row.number): row.statement
        for row in results.problems
        if (row.dataset, row.variant) == (finding.dataset, ORIGINAL)
    }
    found = []
    for pair in answer_set.schemas:
        answers = [answer_set.answers[at] for at in pair]
        if sorted(answer.outcome.verdict for answer in answers) == sorted(verdicts):
            found.append(sum(len(statements[answer.problem]) for answer in answers))
    return found


def statement(twin: Twin) -> str:
    return " ".join(text for text, _ in twin.pieces)


def test_it_is_the_shortest_pair_that_shows_the_behaviour() -> None:
    results = small_profile()
    for name in (ANT, BEE):
        for behaviour, verdicts in (
            (Behaviour.SAME_ANSWER, [Verdict.SOLVED, Verdict.FAILED]),
            (Behaviour.SOLVES, [Verdict.SOLVED, Verdict.SOLVED]),
            (Behaviour.WRONG_TWICE, [Verdict.FAILED, Verdict.FAILED]),
        ):
            finding = finding_of(results, name, behaviour)
            twins, shortest = telling_twins(results, finding), lengths(results, finding, verdicts)
            assert (twins is None) == (not shortest)
            if twins:
                assert sum(len(statement(twin)) for twin in twins) == min(shortest)
                solved = [twin.is_solved for twin in twins]
                assert sorted(solved) == sorted(each is Verdict.SOLVED for each in verdicts)


def test_only_the_words_that_differ_are_marked() -> None:
    results = small_profile()
    twins = telling_twins(results, finding_of(results, BEE, Behaviour.SAME_ANSWER))
    assert twins is not None
    marked = [[text for text, is_deciding in twin.pieces if is_deciding] for twin in twins]
    assert all(marked) and marked[0] != marked[1]
    plain = [[text for text, is_deciding in twin.pieces if not is_deciding] for twin in twins]
    assert plain[0] == plain[1]


def test_without_answers_or_problems_there_is_no_pair() -> None:
    results = small_profile()
    finding = finding_of(results, BEE, Behaviour.SAME_ANSWER)
    assert telling_twins(replace(results, answer_sets={}), finding) is None
    assert telling_twins(replace(results, problems=()), finding) is None


def test_of_what_has_no_label_neither_choice_nor_right_option_is_made_up() -> None:
    results = small_profile()
    finding = finding_of(results, BEE, Behaviour.SAME_ANSWER)
    twins = telling_twins(results, finding)
    assert twins is not None
    assert {twin.chosen for twin in twins} | {twin.right for twin in twins} <= {
        option for row in results.problems for option in row.options
    }


def test_a_word_that_only_one_twin_has_is_marked_there() -> None:
    results = small_profile()
    finding = finding_of(results, BEE, Behaviour.SAME_ANSWER)
    twins = telling_twins(results, finding)
    assert twins is not None
    first, second = twins
    longer = tuple(
        replace(row, statement=f"{statement(first)} indeed")
        if (row.dataset, row.variant, row.problem_id)
        == (finding.dataset, ORIGINAL, second.problem_id)
        else replace(row, statement=f"{row.statement} {'x' * 500}")
        if row.problem_id != first.problem_id
        else row
        for row in results.problems
    )
    changed = telling_twins(replace(results, problems=longer), finding)
    assert changed is not None
    assert changed[0].pieces == ((statement(first), False),)
    assert changed[1].pieces == ((statement(first), False), ("indeed", True))

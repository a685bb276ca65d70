"""From groups of problems to entries."""

import pytest

from horsesense.datasets.recovery import CandidateMark, Journal, RawEntry, RawProblem, Recovery
from horsesense.schema import Kind, LooseGrid, Mode
from horsesense.schema.notation import MAX_LINE, parse_grid
from tests.datasets.recovery.twins import (
    Recovered,
    assert_gives_back,
    problem,
    recover,
)


def pair(first: str, second: str, *options: str, pronoun: str = "") -> list[RawProblem]:
    """Two problems with the same options, of which the first and the second are right."""
    return [
        problem(first, *options, name="q1", pronoun=pronoun),
        problem(second, *options, name="q2", right=1, pronoun=pronoun),
    ]


def lorry() -> list[RawProblem]:
    return pair("A high bridge: lorries _ pass.", "A low bridge: lorries _ pass.", "can", "cannot")


def letters() -> list[RawProblem]:
    return pair("The letter is for _.", "The letter is for _ again.", "Nora", "Lena", pronoun="_")


def is_loose(recovered: Recovered, *named: tuple[str, str]) -> bool:
    return recovered.entry.grid.kind is Kind.LOOSE and set(named) <= set(recovered.named)


def test_twins_make_a_square() -> None:
    recovered = recover(*lorry())
    assert recovered.notation == "A {high, low} bridge: lorries <can, cannot> pass."
    assert recovered.entry.extras == (("x-problems", "q1, q2"),)
    assert recovered.issues == []


def test_the_problem_whose_first_option_is_right_comes_first() -> None:
    first, second = lorry()
    recovered = recover(first._replace(right=1), second._replace(right=0))
    assert recovered.notation == "A {low, high} bridge: lorries <can, cannot> pass."
    assert recovered.entry.extras == (("x-problems", "q2, q1"),)


def test_a_problem_without_a_twin_stays_alone() -> None:
    recovered = recover(lorry()[0])
    assert recovered.notation == "A high bridge: lorries <can*, cannot> pass."


def test_what_a_group_says_is_said_by_its_entry() -> None:
    first, second = lorry()
    found = [first._replace(extras=(("x-seen", "once"),)), second]
    entry = recover(
        *found,
        tags=("traffic",),
        note="by hand",
        flags={"switchable": True, "associative": False},
        phrases=(("unbalanced", ("a very long lorry",)),),
        extras={"x-by": "Ida"},
    ).entry
    assert (entry.id, entry.tags, entry.note) == ("q", ("traffic",), "by hand")
    assert entry.flags == (("associative", False), ("switchable", True))
    assert entry.phrases == (("unbalanced", ("a very long lorry",)),)
    assert entry.extras == (("x-by", "Ida"), ("x-problems", "q1, q2"), ("x-seen.1", "once"))


def test_what_is_said_of_one_problem_follows_it_to_its_place() -> None:
    first, second = lorry()
    found = [first._replace(right=1, extras=(("x-seen", "once"),)), second._replace(right=0)]
    assert dict(recover(*found).entry.extras)["x-seen.2"] == "once"


def test_tags_of_all_problems_are_the_entrys_and_others_stay_with_their_problem() -> None:
    first, second = lorry()
    entry = recover(
        first._replace(right=1, tags=("wide", "roads")),
        second._replace(right=0, tags=("roads", "long", "traffic")),
        tags=("traffic",),
    ).entry
    assert entry.tags == ("traffic", "roads")
    assert entry.extras == (("x-problems", "q2, q1"), ("x-tags.1", "long"), ("x-tags.2", "wide"))


def test_options_in_opposite_orders_are_exchanged() -> None:
    first, second = lorry()
    second = second._replace(options=second.options[::-1], right=0)
    recovered = recover(first, second)
    assert recovered.notation == "A {high, low} bridge: lorries <can, cannot> pass."
    assert recovered.named == [("options-exchanged", "q2")]


def test_marks_of_candidates_follow_the_options_that_are_exchanged() -> None:
    text = "Nora fed Lena, for _ was {}."
    marks = (
        (CandidateMark(1, 0, 4), CandidateMark(2, 9, 13)),
        (CandidateMark(2, 0, 4), CandidateMark(1, 9, 13)),
    )
    options = ("Nora", "Lena"), ("Lena", "Nora")
    found = [
        problem(text.format(key), *listed, name=name, right=1, pronoun="she", marks=given)
        for key, listed, name, given in zip(
            ("hungry", "kind"), options, ("q1", "q2"), marks, strict=True
        )
    ]
    recovered = recover(*found)
    assert recovered.notation == "[Nora] fed [Lena], for <she = Nora, Lena> was {kind, hungry}."


def test_nothing_is_said_to_be_exchanged_that_is_not() -> None:
    first = problem("Nora fled, so _ hid.", "The owl", "the vole")
    second = problem("Nora came, so _ hid.", "the vole", "the owl", name="q2", right=0)
    recovered = recover(first, second)
    assert recovered.entry.grid.kind is Kind.LOOSE
    assert ("options-exchanged", "q2") not in recovered.named
    assert ("answers-differ", "q1") in recovered.named
    assert_gives_back(recovered, [first, second])


@pytest.mark.parametrize(
    "first, second, name",
    [
        (
            problem("Nora saw _ .", "owls", "elks"),
            problem("Lena saw _.", "moss", "rye"),
            "answers-differ",
        ),
        (
            problem("Nora saw _.", "owls", "elks"),
            problem("Lena saw _.", "owls", "elks"),
            "twins-agree",
        ),
        (
            problem("Nora saw _ at home.", "owls", "elks"),
            problem("Lena hid _ in town.", "owls", "elks", right=1),
            "blank-in-difference",
        ),
        (
            problem("A lot of moss: _ ate.", "owls", "elks"),
            problem("A bit of fog: _ ate.", "owls", "elks", right=1),
            "scattered-difference",
        ),
        (
            problem("Nora met Mr. Hill. _ ate.", "owls", "Elks"),
            problem("Nora met Mr. Hall. _ ate.", "Owls", "Elks", right=1),
            "answers-differ",
        ),
    ],
)
def test_twins_that_make_no_square_are_a_loose_pair_with_the_reason(
    first: RawProblem, second: RawProblem, name: str
) -> None:
    second = second._replace(name="q2", line=2)
    recovered = recover(first, second)
    assert is_loose(recovered, (name, "q1"))
    assert {issue.done for issue in recovered.issues if issue.name == name} == {
        "kept as a loose pair"
    }
    assert_gives_back(recovered, [first, second])


def test_what_differs_from_end_to_end_is_a_key_phrase_if_asked_for() -> None:
    found = pair("A lot of moss: _ ate.", "A bit of fog: _ ate.", "owls", "elks")
    recovered = recover(*found, contiguous=True)
    assert recovered.notation == "A {lot of moss, bit of fog}: <owls, elks> ate."


def test_unlabelled_twins_stay_a_loose_pair() -> None:
    found = [one._replace(right=None) for one in lorry()]
    recovered = recover(*found)
    assert recovered.named == [("unlabelled-twins", "q1")]
    assert recovered.notation == (
        "A high bridge: lorries <? can, cannot> pass.\n"
        "& A low bridge: lorries <? can, cannot> pass."
    )


def test_two_blanks_by_answer_are_no_square() -> None:
    found = pair("So _ eat _.", "Now _ eat _.", "owls / voles", "voles / owls")
    recovered = recover(*found)
    assert recovered.named == [("two-blanks", "q1")]
    assert recovered.notation == (
        "So <owls*, voles> eat <voles*, owls>.\n& Now <owls, voles*> eat <voles, owls*>."
    )


def test_a_transposition_is_recovered_where_there_is_no_pronoun() -> None:
    found = pair("Owls _ eat voles.", "Voles _ eat owls.", "do", "do not")
    assert recover(*found).notation == "{Owls, Voles} <do, do not> eat {voles, owls}."
    assert is_loose(recover(*found, key_places=1), ("blank-in-difference", "q1"))
    winograd = [one._replace(pronoun="_") for one in found]
    assert is_loose(recover(*winograd), ("blank-in-difference", "q1"))


def test_a_blank_that_changes_places_with_a_phrase_is_no_transposition() -> None:
    found = pair("_ eat voles.", "Voles eat _.", "Owls", "Elks")
    recovered = recover(*found)
    assert is_loose(recovered, ("blank-in-difference", "q1"))
    assert_gives_back(recovered, found)


def test_what_only_looks_like_a_transposition_is_no_square() -> None:
    found = pair("Owls _ eat - voles.", "Voles _ eat-owls.", "do", "do not")
    recovered = recover(*found)
    assert recovered.entry.grid.kind is Kind.LOOSE
    assert_gives_back(recovered, found)


def test_three_twins_are_kept_side_by_side() -> None:
    found = [*lorry(), problem("No bridge: lorries _ pass.", "can", "cannot", name="q3")]
    recovered = recover(*found)
    assert isinstance(recovered.entry.grid, LooseGrid)
    assert len(recovered.entry.grid.rows) == 3
    assert [(one.name, one.problem, one.odd) for one in recovered.issues] == [
        ("several-twins", "q1", "3 problems: q1, q2, q3")
    ]


def test_an_empty_key_phrase_gets_the_word_beside_it() -> None:
    found = pair("Swimmers _ under water.", "Swimmers _ well under water.", "drown", "swim")
    recovered = recover(*found)
    assert recovered.notation == "Swimmers <drown, swim> {under, well under} water."
    (issue,) = recovered.issues
    assert (issue.name, issue.odd, issue.done) == (
        "key-widened",
        "'' and 'well '",
        "'under' and 'well under'",
    )


def test_a_word_put_in_behind_the_blank_stays_apart_from_the_answer() -> None:
    recovered = recover(*letters())
    assert_gives_back(recovered, letters())


def test_a_word_before_a_blank_that_opens_the_sentence_is_no_key_phrase() -> None:
    recovered = recover(*pair("_ fled.", "Then _ fled.", "the owl", "the vole"))
    assert is_loose(recovered, ("blank-in-difference", "q1"))
    assert "key-widened" not in dict(recovered.named)


def test_the_published_key_phrases_may_be_wider() -> None:
    found = pair("So _ fled from the owl.", "So _ fled to the owl.", "elks", "voles")
    recovered = recover(*found, widening=(1, 2))
    assert recovered.notation == "So <elks, voles> {fled from the owl, fled to the owl}."
    assert recover(*found, widening=(0, 1)).notation == (
        "So <elks, voles> fled {from the, to the} owl."
    )


def test_a_pronoun_of_one_twin_alone_leaves_the_target_open() -> None:
    first, second = pair("So _ fled.", "So _ ate.", "elks", "voles")
    recovered = recover(first._replace(pronoun="they"), second._replace(pronoun="these"))
    assert recovered.notation == "So <_ = elks, voles> {fled, ate}."
    assert ("pronouns-differ", "q1") in recovered.named
    same = recover(first._replace(pronoun="they"), second._replace(pronoun="They"))
    assert same.notation == "So <they = elks, voles> {fled, ate}."


def test_candidates_that_the_answers_do_not_show_are_told() -> None:
    first = "Nora fed an owl before _ fled."
    second = "Nora fed an owl before _ ate."
    recovered = recover(*pair(first, second, "the owl", "the vole", pronoun="it"))
    assert recovered.notation == ("Nora fed [an owl] before <it = the owl, the vole> {fled, ate}.")
    assert recovered.named == [("candidate-differs", "q1"), ("candidate-missing", "q1")]


def test_a_longer_noun_that_is_not_marked_is_told() -> None:
    first = "Nora sat by the vole hole for the vole, and _ fled."
    second = first.replace("fled", "ate")
    recovered = recover(*pair(first, second, "Nora", "the vole", pronoun="it"))
    assert recovered.notation == (
        "[Nora] sat by the vole hole for [the vole], and <it = Nora, the vole> {fled, ate}."
    )
    assert recovered.named == [("candidate-in-longer-noun", "q1")]


def test_a_possessive_ending_may_stand_apart_as_tokenizers_leave_it() -> None:
    found = problem(
        "Nora 's owl met Lena , and _ wings shook .", "Nora 's", "Lena 's", pronoun="its"
    )
    recovered = recover(found)
    assert recovered.faults == []
    assert_gives_back(recovered, [found])


def test_candidates_that_the_file_locates_need_no_looking_for() -> None:
    found = pair(
        "Nora met Lena when _ ate.", "Nora met Lena when _ fled.", "one", "other", pronoun="she"
    )
    first = found[0]._replace(
        marks=(CandidateMark(1, 0, 4), CandidateMark(2, 9, 13), CandidateMark(1, 21, 24))
    )
    assert first.statement[21:24] == "ate"
    recovered = recover(first, found[1])
    assert recovered.notation == "[Nora] met [Lena] when <she = one, other> {ate, fled}."
    assert recovered.issues == []


def test_places_that_the_file_gives_do_not_hold_in_a_text_that_was_cleaned() -> None:
    marks = (CandidateMark(1, 6, 10), CandidateMark(2, 15, 19))
    found = problem("Then  Nora met Lena, and _ ate.", "Nora", "Lena", pronoun="she", marks=marks)
    assert found.statement[6:10] == "Nora"
    assert recover(found).notation == "Then [Nora] met [Lena], and <she = Nora*, Lena> ate."


def test_white_space_is_cleaned_and_told_once_for_each_kind() -> None:
    found = problem(" The\nowl  saw _\t.", "the  vole", " the elk ", name="q7")
    recovered = recover(found)
    assert recovered.notation == "The owl saw <the vole*, the elk> ."
    assert set(recovered.named) == {
        ("exterior-whitespace", "q7"),
        ("line-breaks", "q7"),
        ("double-spaces", "q7"),
    }
    assert {issue.line for issue in recovered.issues} == {7}
    assert {issue.entry for issue in recovered.issues} == {"q"}


@pytest.mark.parametrize(
    "found, why",
    [
        (problem("Nora saw _.", "owls", "owls"), "occurs twice"),
        (problem("Nora saw _.", "owls", ""), "is empty"),
        (problem("Nora saw _.", "owls", "elks", right=2), "there is no answer 3"),
        (problem("Nora saw _.", "owls"), "two answer phrases or more"),
        (problem("Nora saw _.", "owls", "elks", pronoun="?"), "is not a pronoun"),
    ],
)
def test_what_makes_no_grid_is_a_fault(found: RawProblem, why: str) -> None:
    recovered = recover(found)
    assert recovered.entries == []
    (fault,) = recovered.faults
    assert (fault.name, fault.line, fault.problem) == ("not-usable", 1, "q1")
    assert why in fault.odd
    # It went into none.
    assert {issue.entry for issue in recovered.issues} == {""}


def test_one_group_that_cannot_be_used_does_not_keep_others_from_it() -> None:
    groups = [RawEntry("bad id", [lorry()[0]]), RawEntry("good", [lorry()[1]])]
    journal = Journal()
    entries = list(Recovery(journal).entries(groups))
    assert [entry.id for entry in entries] == ["good"]
    assert [(fault.name, fault.problem) for fault in journal.faults] == [("not-usable", "q1")]


@pytest.mark.parametrize(
    "found",
    [
        problem(f"Nora saw _ {'x' * MAX_LINE}.", "owls", "elks"),
        problem("Nora saw _.", "owls", "x" * MAX_LINE),
        problem("Nora saw _.", *(f"{n}{'x' * 1900}" for n in range(6))),
        problem("Nora saw _.", "owls", "elks", extras=(("x-told", "x" * MAX_LINE),)),
    ],
    ids=["text", "option", "many options", "field"],
)
def test_what_is_too_long_for_the_notation_is_a_fault(found: RawProblem) -> None:
    recovered = recover(found)
    assert recovered.entries == []
    assert [(fault.name, fault.problem) for fault in recovered.faults] == [("not-usable", "q1")]


def test_a_loose_grid_in_by_key_is_not_asked_for_candidates() -> None:
    recovered = recover(problem("Nora is _.", "in", "out", pronoun="_"), mode=Mode.BY_KEY)
    assert recovered.named == [("no-square", "q1")]
    assert parse_grid(recovered.notation) == recovered.entry.grid


def test_twins_with_the_same_statement_are_loose_and_nothing_else_is_told() -> None:
    recovered = recover(*pair("So _ fled.", "So _ fled.", "Nora", "Lena", pronoun="_"))
    assert is_loose(recovered, ("same-statement", "q1"))
    assert not {"key-widened", "spelling-differs"} & set(dict(recovered.named))


def test_what_differs_beside_a_comma_takes_a_word_along() -> None:
    found = pair("Nora met Lena, but _ fled.", "Nora met Lena because _ fled.", "Nora", "Lena")
    assert recover(*found).notation == 'Nora met {"Lena, but", Lena because} <Nora, Lena> fled.'


def test_an_issue_is_told_once_though_the_pair_was_tried_as_a_square() -> None:
    found = pair(
        "Nora _ if wet, Lena rang.", "Lena _ if dry, Nora sang.", "ran", "sat", pronoun="she"
    )
    recovered = recover(*found)
    missing = [one.problem for one in recovered.issues if one.name == "candidate-missing"]
    assert sorted(missing) == ["q1", "q1", "q2", "q2"]

from horsesense.datasets.importers.neighbours import alike_pairs
from horsesense.datasets.recovery import RawProblem


def problem(name: str, text: str, *answers: str, pronoun: str = "it") -> RawProblem:
    """A problem with the blank at `_`."""
    before, after = text.split("_")
    options = tuple((answer,) for answer in answers)
    return RawProblem(name, int(name), (before, after), options, None, pronoun)


def names(*found: RawProblem) -> list[list[str]]:
    return [[one.name for one in twins] for twins in alike_pairs(found)]


HEAVY = problem("1", "The lorry crossed the bridge because _ was light.", "the lorry", "the bridge")
STRONG = problem(
    "2", "The lorry crossed the bridge because _ was strong.", "the lorry", "the bridge"
)
OWL = problem("3", "The owl ate the vole because _ was hungry.", "the owl", "the vole")


def test_twins_need_not_be_neighbours() -> None:
    assert names(HEAVY, OWL, STRONG) == [["1", "2"], ["3"]]


def test_the_order_of_the_answers_and_possessives_do_not_keep_twins_apart() -> None:
    other = problem(
        "4", "The lorry crossed the bridge because _ load was light.", "the bridge's", "The lorry's"
    )
    assert names(HEAVY, other) == [["1", "4"]]


def test_other_answers_make_no_twins() -> None:
    van = problem(
        "5", "The lorry crossed the bridge because _ was strong.", "the van", "the bridge"
    )
    assert names(HEAVY, van) == [["1"], ["5"]]


def test_the_same_answers_in_another_story_make_no_twins() -> None:
    other = problem("6", "If _ falls down, nobody will mend it.", "the lorry", "the bridge")
    assert names(HEAVY, other) == [["1"], ["6"]]


def test_two_pronouns_of_one_sentence_are_no_twins() -> None:
    first = problem("7", "Nora told Lena that _ was late, so she ran.", "Nora", "Lena")
    second = problem("8", "Nora told Lena that she was late , so _ ran.", "Nora", "Lena")
    first, second = (
        RawProblem(one.name, one.line, one.texts, one.options, None, "she")
        for one in (first, second)
    )
    assert names(first, second) == [["7"], ["8"]]


def test_those_most_alike_find_each_other() -> None:
    texts = (
        "Nora told Lena that _ was late, so she ran home fast.",
        "Nora told Lena that she was late, so _ ran home fast.",
        "Nora told Lena that she was early, so _ ran home fast.",
        "Nora told Lena that _ was early, so she ran home fast.",
    )
    found = [
        problem(str(number), text, "Nora", "Lena", pronoun="she")
        for number, text in enumerate(texts)
    ]
    assert names(*found) == [["0", "3"], ["1", "2"]]


def test_short_twins_may_share_no_more_than_their_start() -> None:
    first = problem(
        "1", "The owl fled from the cat since _ feared being eaten.", "the owl", "the cat"
    )
    second = problem(
        "2", "The owl fled from the cat since _ looked quite hungry.", "the cat", "the owl"
    )
    assert names(first, second) == [["1", "2"]]


def test_neighbours_are_preferred() -> None:
    texts = (
        "The owl teased the cat because _ was bored and cold.",
        "The owl teased the cat because _ sat there.",
        "If the owl saw the cat, _ hid.",
        "The owl teased the cat because _ was asleep.",
    )
    found = [problem(str(n), text, "the owl", "the cat") for n, text in enumerate(texts)]
    assert names(*found) == [["0", "1"], ["2"], ["3"]]


def test_a_language_without_spaces_is_compared_by_its_characters() -> None:
    first = problem("1", "犬は猫を追った。_は空腹だった。", "犬", "猫", pronoun="それ")
    second = problem("2", "犬は猫を追った。_は生意気だった。", "犬", "猫", pronoun="それ")
    other = problem("3", "_が寝ると犬と猫も寝る。", "犬", "猫", pronoun="それ")
    assert names(first, other, second) == [["1", "2"], ["3"]]


def test_a_bucket_of_hundreds_is_not_compared_throughout() -> None:
    found = [
        problem(
            str(n), f"The lorry {n} crossed the bridge as _ was {n}.", "the lorry", "the bridge"
        )
        for n in range(400)
    ]
    assert all(len(twins) == 2 for twins in alike_pairs(found))

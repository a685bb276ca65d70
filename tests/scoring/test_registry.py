import pytest

from horsesense.errors import UnknownNameError
from horsesense.models import Family, QueryKind
from horsesense.scoring import METHODS, Method, find_method, methods_of


def test_every_family_has_the_methods_of_the_thesis() -> None:
    names = {family: {method.name for method in methods_of(family)} for family in Family}
    assert {"full", "all-but-first", "partial", "normalized-full", "smart@1"} < names[Family.CAUSAL]
    assert {"multi-mask", "statement", "answer"} < names[Family.MASKED]
    assert len(names[Family.SEQ2SEQ]) == 8
    assert names[Family.CHAT] == {"letter", "word", "cloze", "judge"}
    assert names[Family.BASELINE] == {"choice"}


def test_names_are_unique_within_a_family() -> None:
    for family in Family:
        methods = methods_of(family)
        names = [name for method in methods for name in (method.name, *method.aliases)]
        assert len(names) == len(set(names))


@pytest.mark.parametrize("family", [Family.CAUSAL, Family.MASKED, Family.SEQ2SEQ])
def test_every_family_of_language_models_has_a_loss_of_its_own(family: Family) -> None:
    assert find_method("loss", family).family is family


@pytest.mark.parametrize(
    "method", METHODS.values(), ids=lambda method: f"{method.family}-{method.name}"
)
def test_every_method_is_found_and_says_what_it_does(method: Method) -> None:
    assert find_method(method.name, method.family) == method
    assert method.title and method.adds_up
    assert bool(method.needs) is (method.family not in (Family.CHAT, Family.BASELINE))
    assert (method.asks is not None) is (method.family is Family.CHAT)


def test_aliases_lead_to_the_losses() -> None:
    assert find_method("mean-all-but-first", Family.CAUSAL).name == "loss"
    assert find_method("mean-multi-mask", Family.MASKED).name == "loss"


def test_methods_say_what_must_be_asked() -> None:
    assert find_method("statement", Family.MASKED).needs == {QueryKind.SINGLE_MASK}
    needing = {method.name for method in METHODS.values() if method.needs_first}
    assert needing == {"full", "mean-full", "normalized-full", "mean-normalized-full"}
    alone = {method.name for method in METHODS.values() if method.needs_alone}
    assert alone == {"normalized-full", "mean-normalized-full"}


def test_smart_is_there_at_every_limit() -> None:
    assert find_method("smart@12", Family.CAUSAL).title == "smart at limit 12"
    assert find_method("mean-smart@0", Family.CAUSAL).title == "mean smart at limit 0"
    assert find_method("smart@01", Family.CAUSAL) == find_method("smart@1", Family.CAUSAL)


@pytest.mark.parametrize(
    ("name", "family", "message"),
    [
        ("partail", Family.CAUSAL, "no scoring method named 'partail'; did you mean partial"),
        ("smart@-1", Family.CAUSAL, "did you mean smart@1"),
        ("smart@1", Family.MASKED, "no scoring method of masked models named 'smart@1'"),
        ("partial", Family.SEQ2SEQ, "no scoring method of seq2seq models named 'partial'"),
        (
            "full",
            Family.BASELINE,
            "no scoring method of baselines named 'full' (known: choice)",
        ),
    ],
)
def test_an_unknown_name_is_told_with_what_comes_near(
    name: str, family: Family, message: str
) -> None:
    with pytest.raises(UnknownNameError) as caught:
        find_method(name, family)
    assert message in str(caught.value)

"""Problems, questions and replies for the tests of chat protocols."""

from collections.abc import Sequence

from horsesense.models import AskedQuestion, Family, Question, Reply, ReplyToken
from horsesense.schema import Problem, problems
from horsesense.schema.notation import parse_grid
from horsesense.scoring import find_method

FERRY = "a ferry <can, cannot> carry {cars, planets}"
PARCEL = "[The postman] scolded [the dog] because <he = the postman, the dog> was {angry, loud}."
CHOICES = ("letter", "word", "cloze")


def problem_of(notation: str = PARCEL) -> Problem:
    """Return the first problem of a line of notation."""
    return problems(parse_grid(notation))[0]


def questions_by(method: str, problem: Problem) -> tuple[Question, ...]:
    """Return the questions that a method asks about a problem."""
    asks = find_method(method, Family.CHAT).asks
    assert asks is not None
    return asks(problem)


def replied(
    question: Question, text: str, finish: str = "stop", tokens: Sequence[ReplyToken] = ()
) -> AskedQuestion:
    """Return the question with a reply of that text."""
    return AskedQuestion(question, Reply(text, finish, tuple(tokens)))


def token(text: str, **alternatives: float) -> ReplyToken:
    """Return a token with the log-probabilities of alternatives to it."""
    return ReplyToken(text, alternatives.get(text.strip(), -0.1), tuple(alternatives.items()))

"""Small datasets for audits, written in the notation."""

from horsesense.audit import CheckResult
from horsesense.schema import Dataset, Entry, Header
from horsesense.schema.notation import parse_grid

# Twelve Winograd schemas that have little in common, and in which no check finds anything.
SOUND = (
    "[Nora] lent [Lena] a towel, but <she = Nora, Lena> {regretted, forgot} it.",
    "When <he = Ivan, Peter> {won, lost} the race, [2: Peter] thanked [1: Ivan].",
    "[The jug] fell on [the plate]. <It = the jug, the plate> was too {slippery, thin}.",
    "<They = The pupils, The nurses> had {fever, pills}, so [the pupils] met [the nurses].",
    "[2: The pot] boiled after [1: the pan]: <its = the pan, the pot> water was {hot, icy}.",
    "Since <she = Ruth, Alice> is {taller, smaller}, [2: Alice] climbs behind [1: Ruth].",
    "[The wolf] ran past [the hare]. <It = the wolf, the hare> had been {hunting, hiding}.",
    "If <it = the ferry, the train> is {late, early}, [2: the train] waits for [1: the ferry].",
    "[Carl] sold [Hugh] a bicycle while <he = Carl, Hugh> needed {cash, exercise}.",
    "Unless <their = the cooks, the guests> {soup, hunger} is big, [the cooks] fear [the guests].",
    "[2: Martha] taught [1: Sylvia] chess until <she = Sylvia, Martha> {slept, yawned}.",
    "Though <it = the rope, the anchor> was {wet, rusty}, [the rope] held [the anchor] firmly.",
)


def dataset_of(*entries: Entry | str) -> Dataset:
    """Return a dataset of these entries; schemas in notation are called e1, e2 and so on."""
    return Dataset(
        Header("made"),
        [
            entry(f"e{number}", one) if isinstance(one, str) else one
            for number, one in enumerate(entries, start=1)
        ],
    )


def entry(name: str, notation: str, *, tags: tuple[str, ...] = (), voice: str = "") -> Entry:
    """An entry of that name, if asked with tags and a version in another voice."""
    versions = (("voice", parse_grid(voice)),) if voice else ()
    return Entry(name, parse_grid(notation), tags=tags, versions=versions)


def value(checked: CheckResult, name: str) -> float | int | None:
    """The figure of that name."""
    return next(one.value for one in checked.figures if one.name == name)

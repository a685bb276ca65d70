"""The embedded default on the thesis' files, against figures got one sentence at a time.

The figures were measured apart from this program, by a slow reference: no BOS, no table of token
frequencies, a token across the end of a blank counted as suffix.
"""

import pytest

from horsesense.datasets.importers import SourceFile, open_import
from horsesense.evaluation.inference import by_entry, pose, score, summarize
from horsesense.schema import Header, Mode
from horsesense.scoring import find_method
from tests.datasets.importers.imported import DATA
from tests.embedded import embedded_default

METHODS = ("all-but-first", "loss", "partial", "smart@1")
FIGURES = {
    "wsc266/wsc266.txt": ((0.556, 0.128), (0.549, 0.113), (0.605, 0.271), (0.617, 0.293)),
    "reid250/reid250.txt": ((0.508, 0.088), (0.512, 0.080), (0.504, 0.072), (0.512, 0.080)),
}


@pytest.mark.parametrize("name", FIGURES)
def test_the_embedded_default_gives_the_measured_accuracies(name: str) -> None:
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{name} is not at hand")
    model = embedded_default()
    methods = [find_method(method, model.info.family) for method in METHODS]
    file = SourceFile(path.name, path.read_bytes())
    posed = pose(open_import(file, Header("figures")), Mode.BY_ANSWER)
    scored = list(by_entry(posed, score(model, posed.problems, methods)))
    found = [summarize(method, scored) for method in METHODS]
    accuracies = tuple(
        (round(one.problems.value or 0, 3), round(one.schemas.value or 0, 3)) for one in found
    )
    assert accuracies == FIGURES[name]

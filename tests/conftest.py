import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from horsesense.store import Store

# Commands that tests start use a store in their folder, and never that of whoever runs the tests.
os.environ["HORSESENSE_STORE"] = "horsesense.db"

# No deadlines, so that no test fails because the machine is busy. For more examples, where a test
# does not set their number: pytest --hypothesis-profile=thorough
for _profile, _examples in (("quick", 50), ("thorough", 1000)):
    settings.register_profile(
        _profile,
        deadline=None,
        max_examples=_examples,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile("quick")


@pytest.fixture(scope="module")
def untraced() -> Iterator[None]:
    """Measure no coverage from here to the end of the file, for tests with many examples.

    Coverage makes them three times as slow. Code that only such tests reach counts as not covered.
    """
    tracer = sys.gettrace()
    sys.settrace(None)
    yield
    sys.settrace(tracer)


@pytest.fixture
def store_path(tmp_path: Path) -> Path:
    """Return a path for a store that does not exist yet."""
    return tmp_path / "store.db"


@pytest.fixture
def fresh_store(store_path: Path) -> Iterator[Store]:
    """Open a new, empty store."""
    with Store.create_or_open(store_path) as store:
        yield store


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let stores wait for other processes only for a moment."""
    monkeypatch.setattr("horsesense.store.connection.BUSY_SECONDS", 0.1)

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from horsesense.store import Store

# Machines are shared: no law fails because somebody else is busy. More examples of the laws that
# do not say how many they want: pytest --hypothesis-profile=thorough
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
    """No coverage is measured from here to the end of the file: for many draws from one law.

    Being watched takes thrice the time. What only such tests would reach counts as not covered.
    """
    tracer = sys.gettrace()
    sys.settrace(None)
    yield
    sys.settrace(tracer)


@pytest.fixture
def store_path(tmp_path: Path) -> Path:
    """A place for a store, where there is none yet."""
    return tmp_path / "store.db"


@pytest.fixture
def fresh_store(store_path: Path) -> Iterator[Store]:
    """A new store, open and empty."""
    with Store.create_or_open(store_path) as store:
        yield store


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stores opened now wait for others no longer than a moment."""
    monkeypatch.setattr("horsesense.store.connection.BUSY_SECONDS", 0.1)

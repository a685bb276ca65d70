"""Nothing here is measured: every branch of what importers build on is covered by its own tests."""

import pytest


@pytest.fixture(scope="module", autouse=True)
def _untraced(untraced: None) -> None:
    """Read published files at full speed."""

"""The versions of the programs that have made what is kept."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def installed_version(package: str) -> str:
    """The version of a package, or nothing where it is not installed.

    >>> installed_version("a package that nobody has")
    ''
    """
    try:
        return version(package)
    except PackageNotFoundError:
        return ""

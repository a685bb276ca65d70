"""All tables of results as CSV and Parquet files, in full precision."""

from __future__ import annotations

from collections.abc import Iterator

from horsesense.results import Results


def csv_files(results: Results) -> Iterator[tuple[str, bytes]]:
    """The name and content of each file: estimates.csv, answers.csv, …."""
    for table in results.tables():
        yield f"{table.name}.csv", table.to_csv().encode()


def estimates_csv(results: Results) -> bytes:
    """The content of estimates.csv alone, which is small beside that of all answers."""
    return results.estimates.to_csv().encode()


def parquet_files(results: Results) -> Iterator[tuple[str, bytes]]:
    """The name and content of each file: estimates.parquet, answers.parquet, …."""
    for table in results.tables():
        yield f"{table.name}.parquet", table.to_parquet()

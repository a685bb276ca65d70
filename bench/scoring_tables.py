"""Print the measurements of scoring in tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bench.turns import Measured

_GIGA = 1e9


def print_batch_sizes(name: str, tried: Mapping[int, float], best: int) -> None:
    """Print the seconds that a sample took with each batch size."""
    seconds = ", ".join(f"{size}: {taken:.1f} s" for size, taken in tried.items())
    print(f"  batch sizes of {name} on a sample: {seconds}; used: {best}")


def print_seconds(measured: Measured, ours: str, *, together: Sequence[str] = ()) -> None:
    """Print the seconds of every program, and their ratios to ours."""
    print(f"  {'':24} {'seconds':>9} {'ratio':>8} {'peak MB':>8}")
    for name, seconds in measured.seconds.items():
        ratio = "" if name == ours else _ratio(seconds / measured.seconds[ours])
        peak = measured.peak_bytes[name] / 1e6
        print(f"  {name:24} {seconds:9.2f} {ratio:>8} {f'{peak:,.0f}' if peak else '–':>8}")
    if together:
        ratio = _ratio(measured.ratio(together, ours))
        print(f"  {' + '.join(together)}: {ratio} as long as {ours}", flush=True)


def print_work(measured: Measured, name: str, *, is_masked: bool = False) -> None:
    """Print the work that was needed, the work that was done, and its speed."""
    counted = {key.split(".")[1]: value for key, value in measured.work.items()}
    seconds, done, needed = counted["own_seconds"], counted["computed_flops"], counted["flops"]
    own = done / seconds
    torch, fastest = (done / counted[f"{way}_seconds"] for way in ("torch", "fastest"))
    other_bytes = measured.peak_bytes[name] - counted["weight_bytes"]
    rows = [
        ("problems", f"{counted['problems']:,}"),
        ("tokens of all options", f"{counted['tokens']:,}"),
        ("… of distinct queries", f"{counted['distinct']:,}"),
        (
            "… of distinct masked copies" if is_masked else "nodes of the trie",
            f"{counted['nodes']:,}",
        ),
        ("tokens that must be read", f"{counted['needed']:,}"),
        ("tokens computed", f"{counted['computed_tokens']:,}"),
        ("GFLOP needed", f"{needed / _GIGA:,.0f}"),
        ("GFLOP done", f"{done / _GIGA:,.0f}"),
        ("GFLOP/s", f"{own / _GIGA:.1f}"),
        ("GFLOP/s needed", f"{needed / seconds / _GIGA:.1f}"),
        ("GFLOP/s of torch's products", f"{torch / _GIGA:.1f}"),
        ("of that rate", f"{own / torch:.1%}"),
        ("GFLOP/s of the fastest way", f"{fastest / _GIGA:.1f}"),
        ("of that rate", f"{own / fastest:.1%}"),
        ("… counting needed GFLOP only", f"{needed / seconds / fastest:.1%}"),
        ("peak memory without weights", f"{other_bytes / 1e6:,.0f} MB"),
    ]
    for label, value in rows:
        print(f"  {label:30} {value:>12}")
    print(end="", flush=True)


def _ratio(value: float) -> str:
    """Format a factor with sensible digits; small ones as a fraction.

    >>> _ratio(4.5678), _ratio(0.02)
    ('4.57×', '1/50')
    """
    return f"{value:.2f}×" if value >= 0.1 else f"1/{1 / value:.0f}"

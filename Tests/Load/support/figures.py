"""Figures from measured times."""


def percentile(ordered, share):
    """The value below which `share` (0 to 1) of the ordered values lie; 0 where there are none."""
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


def latencies(seconds):
    """One line of percentiles, in milliseconds."""
    ordered = sorted(seconds)
    shares = [("p50", 0.50), ("p90", 0.90), ("p99", 0.99), ("p99.9", 0.999)]
    parts = [f"{name} {percentile(ordered, share) * 1000:.2f}" for name, share in shares]
    return ", ".join(parts + [f"max {(ordered[-1] if ordered else 0) * 1000:.2f}"]) + " ms"


def median(values):
    """The middle value; of an even number of values, the lower of the two."""
    ordered = sorted(values)
    return ordered[(len(ordered) - 1) // 2]

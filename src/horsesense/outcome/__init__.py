"""What was answered. Pure; scoring makes outcomes, metrics count them."""

from horsesense.outcome.outcome import DRIFT, Outcome, Verdict, decide

__all__ = ["DRIFT", "Outcome", "Verdict", "decide"]

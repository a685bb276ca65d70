"""Read the logs of other evaluation programs as answer sets."""

from horsesense.results.logs.document import Logged, statement_of
from horsesense.results.logs.reading import (
    LOG_FORMATS,
    LogFormat,
    logs_in,
    of_one_task,
    read_log,
    read_log_file,
)

__all__ = [
    "LOG_FORMATS",
    "LogFormat",
    "Logged",
    "logs_in",
    "of_one_task",
    "read_log",
    "read_log_file",
    "statement_of",
]
